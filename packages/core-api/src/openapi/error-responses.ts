import type { Operation } from '../operation.ts'
import type { DocumentNode } from './schema-book.ts'

const reason = {
  type: 'object',
  description: 'A refused request. Further keys depend on the error',
  properties: {
    reason: { type: 'string', description: 'What was wrong, with which value, and the way out' },
    error_code: { type: 'string', description: 'Machine name of the error' },
  },
  required: ['reason'],
}

const detail = {
  type: 'object',
  description: 'An error of the framework, such as a missing credential',
  properties: { detail: { type: 'string' } },
  required: ['detail'],
}

const validation = {
  type: 'object',
  description: 'A request that does not have the declared shape',
  properties: {
    detail: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          loc: {
            type: 'array',
            description: 'Begins with `body`, `query`, `path` or `header`',
            items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
          },
          msg: { type: 'string' },
          type: { type: 'string', description: 'Machine name of the finding' },
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
  { status: 400, description: 'An invalid value or a broken rule', schema: 'Reason' },
  { status: 429, description: 'Too many requests', schema: 'Reason', headers: retryAfter },
  { status: 500, description: 'An unexpected error', schema: 'Reason' },
  { status: 503, description: 'No room, or restarting', schema: 'Reason', headers: retryAfter },
]
const authenticated: readonly ErrorResponse[] = [
  { status: 401, description: 'No credential, or one that is not valid', schema: 'Detail' },
  { status: 403, description: 'No access to the project', schema: 'Reason' },
  { status: 404, description: 'Something named in the request does not exist', schema: 'Reason' },
  { status: 502, description: 'The store failed, or the question needs more memory than it may', schema: 'Reason' },
  { status: 504, description: 'The question took longer than it may', schema: 'Reason' },
]
const withInput: readonly ErrorResponse[] = [
  { status: 413, description: 'The request is too large', schema: 'Reason' },
  { status: 422, description: 'The request does not have the declared shape', schema: 'ValidationError' },
]
const withBody: readonly ErrorResponse[] = [
  { status: 415, description: 'A body of a media type or an encoding that is not read here', schema: 'Reason' },
]

const withWrites: readonly ErrorResponse[] = [
  { status: 409, description: 'The write contradicts what is stored, or what the sender expects', schema: 'Reason' },
]

const withRanges: readonly ErrorResponse[] = [
  {
    status: 416,
    description: 'The content has no such range',
    schema: 'Reason',
    headers: { 'Content-Range': { description: 'The size of the whole, as `bytes */<size>`', schema: { type: 'string' } } },
  },
]

const all = [...everywhere, ...authenticated, ...withInput, ...withBody, ...withWrites, ...withRanges]

/** True for an operation that answers with bytes and reads a `Range` header. */
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

/** The errors with which an operation may answer, by status. */
export function errorResponses(operation: Operation): DocumentNode {
  const hasInput = [operation.params, operation.query, operation.headers, operation.body, operation.multipart, operation.bytes].some(
    Boolean,
  )
  const hasBody = [operation.body, operation.multipart, operation.bytes].some(Boolean)
  const answered = new Set([
    ...everywhere,
    ...(operation.open ? [] : authenticated),
    ...(hasInput ? withInput : []),
    ...(hasBody ? withBody : []),
    ...(hasBody && operation.effect !== 'read' ? withWrites : []),
    ...(sendsRanges(operation) ? withRanges : []),
  ])
  return Object.fromEntries(
    all.filter((response) => answered.has(response)).map(({ status }) => [String(status), { $ref: `#/components/responses/${status}` }]),
  )
}
