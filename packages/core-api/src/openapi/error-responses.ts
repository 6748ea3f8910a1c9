import type { Operation } from '../operation.ts'
import type { DocumentNode } from './schema-book.ts'

const reason = {
  type: 'object',
  description: 'Error. Additional keys depend on the error',
  properties: {
    reason: { type: 'string', description: 'What is wrong, with the value, and how to fix it' },
    error_code: { type: 'string', description: 'Error code' },
  },
  required: ['reason'],
}

const detail = {
  type: 'object',
  description: 'Authentication error',
  properties: { detail: { type: 'string' } },
  required: ['detail'],
}

const validation = {
  type: 'object',
  description: 'The request does not match the schema',
  properties: {
    detail: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          loc: {
            type: 'array',
            description: 'Location: starts with `body`, `query`, `path` or `header`',
            items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
          },
          msg: { type: 'string' },
          type: { type: 'string', description: 'Type of the validation error' },
        },
        required: ['loc', 'msg', 'type'],
      },
    },
  },
  required: ['detail'],
}

/** Schemas of the three error bodies. */
export const errorSchemas: DocumentNode = { Reason: reason, Detail: detail, ValidationError: validation }

const retryAfter = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'number' } } }

interface ErrorResponse {
  status: number
  description: string
  schema: 'Reason' | 'Detail' | 'ValidationError'
  headers?: DocumentNode
}

const everywhere: readonly ErrorResponse[] = [
  { status: 400, description: 'Invalid request', schema: 'Reason' },
  { status: 429, description: 'Too many requests', schema: 'Reason', headers: retryAfter },
  { status: 500, description: 'Internal server error', schema: 'Reason' },
  { status: 503, description: 'Disk full, or server restarting', schema: 'Reason', headers: retryAfter },
]
const authenticated: readonly ErrorResponse[] = [
  { status: 401, description: 'Missing or invalid credentials', schema: 'Detail' },
  { status: 403, description: 'No access to the project', schema: 'Reason' },
  { status: 404, description: 'Resource not found', schema: 'Reason' },
  { status: 502, description: 'The store failed, or the query exceeded its memory limit', schema: 'Reason' },
  { status: 504, description: 'The query timed out', schema: 'Reason' },
]
const withInput: readonly ErrorResponse[] = [
  { status: 413, description: 'The request is too large', schema: 'Reason' },
  { status: 422, description: 'The request does not match the schema', schema: 'ValidationError' },
]
const withBody: readonly ErrorResponse[] = [{ status: 415, description: 'Unsupported media type or content encoding', schema: 'Reason' }]

const withWrites: readonly ErrorResponse[] = [
  { status: 409, description: 'The write conflicts with stored data or with an expected digest', schema: 'Reason' },
]

const withRanges: readonly ErrorResponse[] = [
  {
    status: 416,
    description: 'Range not satisfiable',
    schema: 'Reason',
    headers: { 'Content-Range': { description: 'The total size, as `bytes */<size>`', schema: { type: 'string' } } },
  },
]

const all = [...everywhere, ...authenticated, ...withInput, ...withBody, ...withWrites, ...withRanges]

/** True for an operation that returns bytes and supports `Range`. */
export function sendsRanges({ output, headers }: Operation): boolean {
  return output === 'bytes' && headers?.shape['range'] !== undefined
}

/** What `components.responses` holds. */
export const errorComponents: DocumentNode = Object.fromEntries(
  all.map(({ status, description, schema, headers }) => [
    String(status),
    {
      description,
      ...(headers && { headers }),
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
    },
  ]),
)

/** The error responses of an operation, by status. */
export function errorResponses(operation: Operation): DocumentNode {
  const hasInput = [operation.params, operation.query, operation.headers, operation.body, operation.multipart, operation.bytes].some(
    Boolean,
  )
  const hasBody = [operation.body, operation.multipart, operation.bytes].some(Boolean)
  const possible = new Set([
    ...everywhere,
    ...(operation.open ? [] : authenticated),
    ...(hasInput ? withInput : []),
    ...(hasBody ? withBody : []),
    ...(hasBody && operation.effect !== 'read' ? withWrites : []),
    ...(sendsRanges(operation) ? withRanges : []),
  ])
  return Object.fromEntries(
    all.filter((response) => possible.has(response)).map(({ status }) => [String(status), { $ref: `#/components/responses/${status}` }]),
  )
}
