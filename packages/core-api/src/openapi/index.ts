export type { DocumentNode } from './schema-book.ts'
export { toOpenApi, type OpenApiOptions } from './to-openapi.ts'
