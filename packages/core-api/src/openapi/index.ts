export { createSchemaBook, type DocumentNode, type SchemaBook } from './schema-book.ts'
export { toOpenApi, type OpenApiOptions } from './to-openapi.ts'
