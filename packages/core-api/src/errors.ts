/** Every error code, with its HTTP status. */
export const errorStatus = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  invalid: 422,
  too_many_requests: 429,
  internal: 500,
  not_implemented: 501,
  store_failed: 502,
  unavailable: 503,
  timeout: 504,
} as const

export type ErrorCode = keyof typeof errorStatus

/** One issue of request validation: path, message and type. */
export interface Issue {
  /** First element `body`, `query`, `path` or `header`, then keys and list positions. */
  loc: (string | number)[]
  msg: string
  type: string
}

export interface ApiErrorDetails {
  /** Issues of a refused request; only for `invalid`. */
  issues?: Issue[]
  /** Further keys of the response body, such as `deleted_at`. */
  extra?: Record<string, unknown>
  /** Seconds after which the same request may succeed. */
  retryAfterSeconds?: number
  /** HTTP status as it arrived, where another server used one that is not in `errorStatus`. */
  status?: number
  /** See `ApiError.requestId`. */
  requestId?: string
  cause?: unknown
}

const mark = Symbol.for('heddle.ApiError')

/** An error response of a service, the same class on the server and in the client. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly issues: Issue[] | undefined
  readonly extra: Record<string, unknown>
  readonly retryAfterSeconds: number | undefined
  /** Id of the request that the server's log names, at most 128 characters; undefined if no server answered or its answer has none. */
  readonly requestId: string | undefined
  readonly [mark] = true

  constructor(code: ErrorCode, reason: string, details: ApiErrorDetails = {}) {
    super(reason, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status ?? errorStatus[code]
    this.issues = details.issues
    this.extra = details.extra ?? {}
    this.retryAfterSeconds = details.retryAfterSeconds
    this.requestId = details.requestId
  }
}

/**
 * True for an `ApiError` of any loaded copy of this package.
 * @example
 * const error: unknown = new ApiError('not_found', 'no such call')
 * isApiError(error) && error.status // 404
 */
export function isApiError(error: unknown): error is ApiError {
  return typeof error === 'object' && error !== null && mark in error
}

/** 400: a value or a business rule. `reason` names the thing, the value and the way out. */
export function badRequest(reason: string, extra?: Record<string, unknown>): ApiError {
  return new ApiError('bad_request', reason, extra && { extra })
}

/** 422: the request does not have the declared shape. */
export function invalid(issues: Issue[]): ApiError {
  const first = issues[0]
  return new ApiError('invalid', first ? `${first.loc.join('.')}: ${first.msg}` : 'invalid request', { issues })
}

/** 404. */
export function notFound(reason: string, extra?: Record<string, unknown>): ApiError {
  return new ApiError('not_found', reason, extra && { extra })
}

/** 403. */
export function forbidden(reason = 'Forbidden'): ApiError {
  return new ApiError('forbidden', reason)
}

/** 401. */
export function unauthenticated(): ApiError {
  return new ApiError('unauthenticated', 'Not authenticated')
}

/** 409. */
export function conflict(reason: string): ApiError {
  return new ApiError('conflict', reason)
}

/** 413. */
export function tooLarge(reason = 'Request too large'): ApiError {
  return new ApiError('too_large', reason)
}

/** 429: the same request may succeed after `retryAfterSeconds`. */
export function tooManyRequests(reason: string, retryAfterSeconds: number): ApiError {
  return new ApiError('too_many_requests', reason, { retryAfterSeconds })
}

/** 503: full, restarting or shutting down. */
export function unavailable(reason: string, retryAfterSeconds: number): ApiError {
  return new ApiError('unavailable', reason, { retryAfterSeconds })
}
