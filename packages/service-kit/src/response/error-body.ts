import { ApiError, type ErrorCode, isApiError } from '@heddle/core-api'
import { stringifyJson } from '@heddle/json'
import { isFromBrowser } from '../auth/cross-site.ts'
import { StalledReader } from './paced-source.ts'

/** Log of a service. A pino logger fits, with `loggedError` as its serializer of `err`. */
export interface ServiceLog {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface ErrorContext {
  /** Name of the operation, for the log. */
  operation: string
  request: Request
  log: ServiceLog | undefined
  /** Default `errorBody`. */
  toBody?: (error: ApiError, operation: string) => Record<string, unknown>
}

/** The response to an error of any kind. An unexpected one is logged once, and its message is not sent. */
export function errorResponse(error: unknown, { operation, request, log, toBody = errorBody }: ErrorContext): Response {
  const known = isApiError(error) ? error : fromStore(error)
  if (!isApiError(error) && !isCancelled(error)) logFailure(known?.code, { operation, err: error }, log)
  const answer = known ?? new ApiError('internal', 'Internal server error')
  return new Response(stringifyJson(toBody(answer, operation)), { status: answer.status, headers: errorHeaders(answer, request) })
}

/** A value that the store cannot hold or compare, and a query that is too large to run, are errors of the client; a busy or full store is counted in the metrics. */
function logFailure(code: ErrorCode | undefined, fields: { operation: string; err: unknown }, log: ServiceLog | undefined): void {
  if (code === undefined) log?.error(fields, 'operation failed unexpectedly')
  if (code === 'store_failed') log?.error(fields, 'store failed an operation')
  if (code === 'bad_request') log?.info(fields, 'store rejected a value or the size of a request')
}

/** Logs why a streamed response was cut: a reader that stalls and a query that can never run are errors of the client. */
export function logCut(error: unknown, { operation, log }: Pick<ErrorContext, 'operation' | 'log'>): void {
  const known = isApiError(error) ? error : fromStore(error)
  const isOfClient = error instanceof StalledReader || (known !== undefined && known.status < 500)
  const fields = { operation, err: error }
  if (isOfClient) log?.info(fields, 'streamed response was cut')
  else log?.error(fields, 'streamed response was cut')
}

/** The body of an error response, in one of the wire's three shapes: validation issues, a refused credential, and everything else. */
export function errorBody(error: ApiError): Record<string, unknown> {
  if (error.issues) return { detail: error.issues }
  if (error.code === 'unauthenticated') return { detail: error.message }
  return { reason: error.code === 'internal' ? 'Internal server error' : error.message, ...error.extra }
}

/** 404 for a path without an operation. */
export function noSuchPath(): Response {
  return new Response('{"detail":"Not Found"}', { status: 404, headers: { 'content-type': 'application/json' } })
}

/** 405 for a path that has operations with other methods. */
export function noSuchMethod(allowed: readonly string[]): Response {
  const headers = { 'content-type': 'application/json', allow: allowed.join(', ') }
  return new Response('{"detail":"Method Not Allowed"}', { status: 405, headers })
}

/** 416: the content is shorter than the range that was asked for begins. */
export function rangeNotSatisfiable(sizeBytes: number): ApiError {
  return new ApiError('range_not_satisfiable', `The content has ${sizeBytes} bytes, and none in the range`, {
    extra: { size_bytes: sizeBytes },
  })
}

/** Clients obey `x-should-retry`; a browser given `WWW-Authenticate` would open its own dialog. */
function errorHeaders(error: ApiError, request: Request): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterSeconds)))
  if (error.status === 409 || error.status === 501) headers['x-should-retry'] = 'false'
  if (error.code === 'range_not_satisfiable') headers['content-range'] = `bytes */${String(error.extra['size_bytes'])}`
  if (error.status === 401 && !isFromBrowser(request.headers)) headers['www-authenticate'] = 'Basic'
  return headers
}

interface StoreErrorLike {
  kind: unknown
  message: string
  retryAfterSeconds?: number
  /** Path of the value in the input, where it is known. */
  field?: string
}

function describeValue({ field }: StoreErrorLike): string {
  if (field === undefined) return 'The store cannot hold a value of the request'
  return `${field === '' ? 'the request' : field.slice(0, 200)} has a NUL character (U+0000), which cannot be stored or searched for; remove it`
}

const isStoreError = (error: unknown): error is StoreErrorLike => error instanceof Error && error.name === 'StoreError' && 'kind' in error

/** True for the error of a store whose caller has left: nobody gets it, and nothing went wrong. */
export function isCancelled(error: unknown): boolean {
  return isStoreError(error) && error.kind === 'cancelled'
}

/** What a store could not do, said without its own words, which name tables and files. Undefined for other errors. */
function fromStore(error: unknown): ApiError | undefined {
  if (!isStoreError(error)) return undefined
  const retry = { retryAfterSeconds: error.retryAfterSeconds ?? 1 }
  switch (error.kind) {
    case 'busy':
      return new ApiError('too_many_requests', 'The store has more to do than it can; send the request again shortly', retry)
    case 'unavailable':
      return new ApiError('unavailable', 'The store is not available; send the request again shortly', retry)
    case 'full':
      return new ApiError('unavailable', 'The store has no space left', retry)
    case 'damaged':
      // Its message is made for users: it names what is damaged by the name that the store has for it, and says what to do.
      return new ApiError('store_failed', `Stored data is damaged: ${error.message}`)
    case 'timeout':
      return new ApiError('timeout', 'The query took too long; narrow it by a date range or a filter')
    case 'memory':
      return new ApiError('store_failed', 'The query needs more memory than it may; narrow it by a date range or a filter')
    case 'cancelled':
      return new ApiError('bad_request', 'The client closed the connection before the response')
    case 'data':
      return new ApiError('bad_request', describeValue(error))
    case 'complex':
      return new ApiError('bad_request', 'The query is too large or too deep to run; use fewer conditions, conversions and fields')
    default:
      return new ApiError('store_failed', 'Temporary backend error')
  }
}
