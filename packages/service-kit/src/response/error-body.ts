import type { ServerResponse } from 'node:http'
import { ApiError, type ErrorCode, isApiError } from '@heddle/core-api'
import { limitNames } from '@heddle/core-api/internal'
import { stringifyJson } from '@heddle/json'
import { isFromBrowser } from '../auth/cross-site.ts'
import { requestIdField } from './request-id.ts'
import { StalledReader } from './paced-source.ts'
import { fromStore, isCancelled, isStoreError } from './store-error.ts'

/** Log of a service. A pino logger fits, with `loggedError` as its serializer of `err`. */
export interface ServiceLog {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface ErrorContext {
  /** Name of the operation, for the log. */
  operation: string
  request: Request
  /** Carries the id of the request, for the log; undefined without a connection. */
  outgoing: ServerResponse | undefined
  log: ServiceLog | undefined
  /** Default `errorBody`. */
  toBody?: (error: ApiError, operation: string, requestId: string | undefined) => Record<string, unknown>
}

/** The response to an error of any kind. An unexpected one is logged once, and its message is not sent. */
export function errorResponse(error: unknown, { operation, request, outgoing, log, toBody = errorBody }: ErrorContext): Response {
  const known = isApiError(error) ? error : fromStore(error)
  if (!isApiError(error) && !isCancelled(error) && !isOfAbort(error, request))
    logFailure(known?.code, { operation, ...requestIdField(outgoing), err: error }, log)
  const answer = known ?? new ApiError('internal', 'Internal server error')
  const { requestId } = requestIdField(outgoing)
  return new Response(stringifyJson(toBody(answer, operation, requestId)), {
    status: answer.status,
    headers: errorHeaders(answer, request),
  })
}

/** True for the reason of a request's own abort: its client has left, and nothing went wrong. */
const isOfAbort = (error: unknown, { signal }: Request) => signal.aborted && error === signal.reason

/** A value that the store cannot hold or compare, and a query that is too large to run, are errors of the client; a busy or full store is counted in the metrics. */
function logFailure(code: ErrorCode | undefined, fields: { operation: string; err: unknown }, log: ServiceLog | undefined): void {
  if (code === undefined) log?.error(fields, 'operation failed unexpectedly')
  if (code === 'store_failed') log?.error(fields, 'store failed an operation')
  if (code === 'bad_request') log?.info(fields, 'store rejected a value or the size of a request')
}

/** Logs why a streamed response was cut: a reader that stalls and a query that can never run are errors of the client. */
export function logCut(error: unknown, { operation, outgoing, log }: Omit<ErrorContext, 'request' | 'toBody'>): void {
  const known = isApiError(error) ? error : fromStore(error)
  const isOfClient = error instanceof StalledReader || (known !== undefined && known.status < 500)
  const fields = { operation, ...requestIdField(outgoing), err: error }
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
export function noSuchPath(body: Record<string, unknown> = { detail: 'Not Found' }): Response {
  return new Response(stringifyJson(body), { status: 404, headers: { 'content-type': 'application/json' } })
}

/** 405 for a path that has operations with other methods. */
export function noSuchMethod(allowed: readonly string[], body: Record<string, unknown> = { detail: 'Method Not Allowed' }): Response {
  return new Response(stringifyJson(body), { status: 405, headers: { 'content-type': 'application/json', allow: allowed.join(', ') } })
}

/** 416: the requested range begins after the end of the content. */
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

/**
 * Why a request gets an error, in one of a few fixed words, for counting: the name of the limit that its project has reached, `store_` and what the store
 * could not do, else the code of the error.
 */
export function refusalOf(error: unknown): string {
  if (isStoreError(error)) return `store_${String(error.kind)}`
  if (!isApiError(error)) return 'internal'
  const { limit } = error.extra
  const name = typeof limit === 'object' && limit !== null && 'name' in limit ? limit.name : undefined
  return limitNames.find((each) => each === name) ?? error.code
}
