import type { z } from 'zod'
import type { Operation } from '../operation.ts'
import { errorResponses, sendsRanges } from './error-responses.ts'
import type { DocumentNode, SchemaBook } from './schema-book.ts'

const binary = { type: 'string', contentMediaType: 'application/octet-stream' }

/** Content of a media type of an operation that decodes its body itself. */
const contentOf = (type: string): DocumentNode => ({ schema: type === 'application/json' ? { type: 'object' } : binary })

/** Writes one operation of a contract as an operation of OpenAPI. */
export function toOpenApiOperation(operation: Operation, name: { resource: string; key: string }, book: SchemaBook): DocumentNode {
  const parameters = [
    ...toParameters(operation.params, 'path', book),
    ...toParameters(operation.query, 'query', book),
    ...toParameters(operation.headers, 'header', book),
  ]
  const content = toRequestContent(operation, book)
  return {
    operationId: `${name.resource}.${name.key}`,
    tags: [name.resource],
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    ...(operation.open && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    // OTLP allows an empty request; every other body is required.
    ...(content && { requestBody: { required: !operation.bytes, content } }),
    responses: { 200: toAnswer(operation, book), ...toPartialAnswer(operation), ...errorResponses(operation) },
  }
}

function toParameters(schema: z.ZodObject | undefined, place: 'path' | 'query' | 'header', book: SchemaBook): DocumentNode[] {
  if (!schema) return []
  const { properties = {}, required = [] } = book.input(schema) as { properties?: Record<string, DocumentNode>; required?: string[] }
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: property,
  }))
}

function toRequestContent(operation: Operation, book: SchemaBook): DocumentNode | undefined {
  if (operation.body) return { 'application/json': { schema: book.input(operation.body) } }
  if (operation.multipart) return { 'multipart/form-data': { schema: toForm(operation, book.input(operation.multipart)) } }
  return operation.bytes && Object.fromEntries(operation.bytes.map((type) => [type, contentOf(type)]))
}

function toForm(operation: Operation, fields: DocumentNode): DocumentNode {
  const parts = Object.entries(operation.parts ?? {})
  const properties = Object.fromEntries(parts.map(([name, description]) => [name, { ...binary, description }]))
  const required = [...((fields['required'] as string[] | undefined) ?? []), ...parts.map(([name]) => name)]
  return { ...fields, properties: { ...(fields['properties'] as DocumentNode), ...properties }, required }
}

/** The 206 response of an operation that supports ranges. */
function toPartialAnswer(operation: Operation): DocumentNode {
  if (!sendsRanges(operation)) return {}
  const headers = { 'Content-Range': { description: 'First and last byte of the range, and the total size', schema: { type: 'string' } } }
  return { 206: { description: 'The bytes of the range', headers, content: { 'application/octet-stream': { schema: binary } } } }
}

function toAnswer(operation: Operation, book: SchemaBook): DocumentNode {
  if (operation.output === 'bytes') {
    const types = operation.bytes ?? ['application/octet-stream']
    return { description: 'Bytes', content: Object.fromEntries(types.map((type) => [type, contentOf(type)])) }
  }
  const schema = book.output(operation.output)
  if (operation.stream)
    return { description: 'JSON Lines: one value per line, as results are found', content: { 'application/jsonl': { schema } } }
  const events = operation.events && { 'text/event-stream': { schema: book.output(operation.events) } }
  return { description: 'Done', content: { 'application/json': { schema }, ...events } }
}
