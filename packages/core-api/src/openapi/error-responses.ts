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

/** Schemas of the error bodies of all services. */
const schemas: DocumentNode = { Reason: reason, Detail: detail, ValidationError: validation }

/** Key of an error body that holds the text: services differ in it. */
export type ErrorForm = 'reason' | 'detail'

const retryAfter = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'number' } } }

interface ErrorResponse {
  status: number
  description: string
  /** Possible schemas of the body; empty for a response without one. */
  schemas: readonly ('Reason' | 'Detail' | 'ValidationError')[]
  headers?: DocumentNode
}

const everywhere: readonly ErrorResponse[] = [
  { status: 400, description: 'Invalid request', schemas: ['Reason'] },
  { status: 429, description: 'Too many requests', schemas: ['Reason'], headers: retryAfter },
  { status: 431, description: 'The path, query and headers are too long', schemas: [] },
  { status: 500, description: 'Internal server error', schemas: ['Reason'] },
  { status: 503, description: 'Disk full, or server restarting', schemas: ['Reason'], headers: retryAfter },
]
const authenticated: readonly ErrorResponse[] = [
  { status: 401, description: 'Missing or invalid credentials', schemas: ['Detail'] },
  { status: 403, description: 'No access to the project', schemas: ['Reason'] },
]
/** Responses of operations that look something up: all but the open operations without input. */
const stored: readonly ErrorResponse[] = [
  { status: 404, description: 'Resource not found', schemas: ['Reason'] },
  { status: 502, description: 'The store failed, or the query exceeded its memory limit', schemas: ['Reason'] },
  { status: 504, description: 'The query timed out', schemas: ['Reason'] },
]
const withInput: readonly ErrorResponse[] = [
  { status: 413, description: 'The request is too large', schemas: ['Reason'] },
  {
    status: 422,
    description: 'The request does not match the schema, or has a name or a field that is not possible',
    schemas: ['ValidationError', 'Reason'],
  },
]
const withBody: readonly ErrorResponse[] = [{ status: 415, description: 'Unsupported media type or content encoding', schemas: ['Reason'] }]

const withWrites: readonly ErrorResponse[] = [
  { status: 409, description: 'The write conflicts with stored data or with an expected digest', schemas: ['Reason'] },
]

const withRanges: readonly ErrorResponse[] = [
  {
    status: 416,
    description: 'Range not satisfiable',
    schemas: ['Reason'],
    headers: { 'Content-Range': { description: 'The total size, as `bytes */<size>`', schema: { type: 'string' } } },
  },
]

const all = [...everywhere, ...authenticated, ...stored, ...withInput, ...withBody, ...withWrites, ...withRanges]

/** True for an operation that returns bytes and supports `Range`. */
export function sendsRanges({ output, headers }: Operation): boolean {
  return output === 'bytes' && headers?.shape['range'] !== undefined
}

/** The schemas that the responses of a service refer to. */
export function errorSchemas(form: ErrorForm): DocumentNode {
  return form === 'reason' ? schemas : { Detail: { ...detail, description: 'Error' }, ValidationError: validation }
}

/** What `components.responses` holds: the responses that are used. */
export function errorComponents(form: ErrorForm, used: ReadonlySet<string>): DocumentNode {
  const shown = all.filter(({ status }) => used.has(String(status)))
  return Object.fromEntries(
    shown.map(({ status, description, schemas, headers }) => [
      String(status),
      {
        description,
        ...(headers && { headers }),
        ...(schemas.length > 0 && { content: { 'application/json': { schema: bodyOf(inForm(schemas, form)) } } }),
      },
    ]),
  )
}

function inForm(schemas: ErrorResponse['schemas'], form: ErrorForm): readonly string[] {
  return form === 'reason' ? schemas : [...new Set(schemas.map((name) => (name === 'Reason' ? 'Detail' : name)))]
}

function bodyOf(schemas: readonly string[]): DocumentNode {
  const refs = schemas.map((name) => ({ $ref: `#/components/schemas/${name}` }))
  return refs.length === 1 ? { ...refs[0] } : { anyOf: refs }
}

/** The error responses of an operation, by status. */
export function errorResponses(operation: Operation): DocumentNode {
  const hasInput = [operation.params, operation.query, operation.headers, operation.body, operation.multipart, operation.bytes].some(
    Boolean,
  )
  const hasBody = [operation.body, operation.multipart, operation.bytes].some(Boolean)
  const possible = new Set([
    ...everywhere,
    ...(operation.open ? [] : authenticated),
    ...(operation.open && !hasInput ? [] : stored),
    ...(hasInput ? withInput : []),
    ...(hasBody ? withBody : []),
    ...(hasBody && operation.effect !== 'read' ? withWrites : []),
    ...(sendsRanges(operation) ? withRanges : []),
  ])
  return Object.fromEntries(
    all.filter((response) => possible.has(response)).map(({ status }) => [String(status), { $ref: `#/components/responses/${status}` }]),
  )
}
