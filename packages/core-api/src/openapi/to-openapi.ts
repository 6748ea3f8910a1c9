import { describeResource, type Operation, type Resource } from '../operation.ts'
import { errorComponents, type ErrorForm, errorSchemas } from './error-responses.ts'
import { createSchemaBook, type DocumentNode, type SchemaBook } from './schema-book.ts'
import { toOpenApiOperation } from './to-openapi-operation.ts'

export interface OpenApiOptions {
  title: string
  version: string
  description?: string
  /** The operations, by resource; each resource becomes a tag with its description. */
  resources: Readonly<Record<string, Resource>>
  servers?: readonly { url: string; description?: string }[]
  /** Key of an error body that holds its text. Default `reason`. */
  errors?: ErrorForm
}

const securitySchemes = {
  basic: { type: 'http', scheme: 'basic', description: 'Any user name, with the API key as the password' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The API key as the token' },
}

/**
 * Writes an OpenAPI 3.1 document of a contract. The same contract gives the same document. Hidden operations and aliases are omitted.
 * @throws Error when two operations have one method and path, or two schemas one id.
 */
export function toOpenApi(options: OpenApiOptions): DocumentNode {
  const book = createSchemaBook()
  const form = options.errors ?? 'reason'
  const paths = toPaths(options.resources, book)
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      ...(options.description && { description: options.description }),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: options.servers ?? [{ url: '/' }],
    security: [{ basic: [] }, { bearer: [] }],
    tags: Object.entries(options.resources).map(([name, resource]) => toTag(name, describeResource(resource))),
    paths,
    components: {
      securitySchemes,
      responses: errorComponents(form, usedStatuses(paths)),
      schemas: { ...book.components(), ...errorSchemas(form) },
    },
  }
}

const toTag = (name: string, description: string | undefined): DocumentNode => ({ name, ...(description !== undefined && { description }) })

function toPaths(resources: Readonly<Record<string, Resource>>, book: SchemaBook): DocumentNode {
  const paths: Record<string, DocumentNode> = {}
  for (const { resource, key, operation } of listShown(resources)) {
    const item = (paths[operation.path] ??= {})
    const method = operation.method.toLowerCase()
    if (method in item) throw new Error(`duplicate operation ${operation.method} ${operation.path}: ${resource}.${key}`)
    item[method] = toOpenApiOperation(operation, { resource, key }, book)
  }
  return paths
}

function listShown(resources: Readonly<Record<string, Resource>>): { resource: string; key: string; operation: Operation }[] {
  return Object.entries(resources).flatMap(([resource, operations]) =>
    Object.entries(operations).flatMap(([key, operation]) => (operation.hidden ? [] : [{ resource, key, operation }])),
  )
}

/** Statuses of errors that the operations of a document refer to. */
function usedStatuses(paths: DocumentNode): ReadonlySet<string> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item as Record<string, { responses: DocumentNode }>))
  return new Set(operations.flatMap(({ responses }) => Object.keys(responses)))
}
