import { ApiError, errorStatus, type ApiErrorDetails, type ErrorCode, type Issue } from '../errors.ts'
import { isRequestId, requestIdHeader } from '../shapes/request-id.ts'
import { parseRetryAfter } from './retry.ts'

/** Maximum characters that an error quotes of a response that is not JSON. */
const maxExcerpt = 500

/** A response that is not a success, as the error that the service threw. `nowMs` is the time against which a date in `Retry-After` counts. */
export function toApiError(response: { status: number; headers: Headers }, text: string, nowMs: number): ApiError {
  const { status } = response
  const body = parseObject(text)
  const { reason, issues, extra } = body ? readErrorBody(body) : { reason: text.trim().slice(0, maxExcerpt) }
  const details: ApiErrorDetails = { status }
  if (issues) details.issues = issues
  if (extra && Object.keys(extra).length > 0) details.extra = extra
  const retryAfterMs = parseRetryAfter(response.headers, nowMs)
  if (retryAfterMs !== undefined) details.retryAfterSeconds = retryAfterMs / 1000
  const requestId = response.headers.get(requestIdHeader)
  if (requestId !== null && isRequestId(requestId)) details.requestId = requestId
  return new ApiError(toCode(status), reason || `the server responded with status ${status} and no message`, details)
}

function toCode(status: number): ErrorCode {
  const codes = Object.keys(errorStatus) as ErrorCode[]
  return codes.find((code) => errorStatus[code] === status) ?? (status < 500 ? 'bad_request' : 'internal')
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

interface ErrorBody {
  reason: string
  issues?: Issue[]
  extra?: Record<string, unknown>
}

/** Reads the three shapes of an error body, and the `error` and `message` of other servers. */
function readErrorBody(body: Record<string, unknown>): ErrorBody {
  const { detail, reason, error, message, ...extra } = body
  if (Array.isArray(detail)) {
    const issues = detail.filter(isIssue)
    return { reason: issues.map((issue) => `${issue.loc.join('.')}: ${issue.msg}`).join('; '), issues, extra }
  }
  const inner = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  const text = [reason, detail, message, inner].find((part) => typeof part === 'string')
  return { reason: text ?? JSON.stringify(body).slice(0, maxExcerpt), extra }
}

function isIssue(value: unknown): value is Issue {
  return typeof value === 'object' && value !== null && 'loc' in value && Array.isArray(value.loc) && 'msg' in value
}
