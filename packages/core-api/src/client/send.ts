import { ApiError } from '../errors.ts'
import type { CallOptions } from './client-of.ts'
import { startDeadline, type Deadline } from './deadline.ts'
import { readBody } from './read-body.ts'
import { findRetryDelay, toRetryClass, type RetryClass, type RetryPolicy } from './retry.ts'
import { toApiError } from './to-api-error.ts'
import type { HttpRequest } from './to-http-request.ts'

/** How requests reach a server. */
export interface Connection {
  /** Without a trailing slash. */
  baseUrl: string
  /** Sent with every request. */
  headers: Readonly<Record<string, string>>
  fetch: typeof fetch
  timeoutMs: number
  retry: RetryPolicy
  pause: (delayMs: number, signal: AbortSignal | undefined) => Promise<void>
  /** Milliseconds since 1970. */
  now: () => number
}

/** A request, and whether it can be retried. */
export interface Sending {
  request: HttpRequest
  repeatable: boolean
  options: CallOptions
}

type Attempt<T> = { status: 'succeeded'; value: T } | { status: 'failed'; error: ApiError; retryClass: RetryClass }

/** Maximum bytes read of an error's body. */
const maxErrorBytes = 1_000_000

/**
 * Sends a request until it succeeds or may not be retried, and reads the response with `read`, which is part of the attempt.
 * `read` stops the deadline when it has read the response.
 * @throws ApiError for every failure but the caller's own signal, whose reason is thrown.
 */
export async function send<T>(
  connection: Connection,
  sending: Sending,
  read: (response: Response, deadline: Deadline) => Promise<T>,
): Promise<T> {
  const { signal } = sending.options
  for (let attempts = 1; ; attempts += 1) {
    const result = await attemptOnce(connection, sending, read)
    if (result.status === 'succeeded') return result.value
    const delayMs = findRetryDelay({ ...result, attempts, repeatable: sending.repeatable }, connection.retry)
    if (delayMs === undefined) throw result.error
    await connection.pause(delayMs, signal)
  }
}

async function attemptOnce<T>(
  connection: Connection,
  { request, options }: Sending,
  read: (response: Response, deadline: Deadline) => Promise<T>,
): Promise<Attempt<T>> {
  options.signal?.throwIfAborted()
  const timeoutMs = options.timeoutMs ?? connection.timeoutMs
  const deadline = startDeadline(timeoutMs, options.signal)
  try {
    const response = await connection.fetch(connection.baseUrl + request.path, {
      method: request.method,
      headers: { ...request.headers, ...connection.headers },
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: deadline.signal,
    })
    if (response.ok) return { status: 'succeeded', value: await read(response, deadline) }
    const text = new TextDecoder().decode(await readBody(response, maxErrorBytes))
    deadline.stop()
    return { status: 'failed', error: toApiError(response, text, connection.now()), retryClass: toRetryClass(response) }
  } catch (error) {
    deadline.stop()
    options.signal?.throwIfAborted()
    const what = `${request.method} ${connection.baseUrl}${request.path.replace(/\?.*/, '')}`
    const lost = toLostError(error, { what, timeoutMs, expired: deadline.isExpired() })
    return { status: 'failed', error: lost, retryClass: lost.code === 'too_large' ? 'final' : 'unclear' }
  }
}

/** A request whose response was missing, incomplete or too large. */
export function toLostError(error: unknown, lost: { what: string; timeoutMs: number; expired: boolean }): ApiError {
  if (lost.expired) return new ApiError('timeout', `${lost.what}: no data for ${lost.timeoutMs} ms`, { cause: error })
  if (error instanceof RangeError) return new ApiError('too_large', `${lost.what}: ${error.message}`, { cause: error })
  return new ApiError('unavailable', `${lost.what}: ${describe(error)}`, { cause: error })
}

/** The innermost cause has the reason; the outer error of `fetch` reports only a failure. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return describe(error.cause)
  const code = 'code' in error ? String(error.code) : ''
  return [error.message, error.message.includes(code) ? '' : code].filter(Boolean).join(' ') || error.name
}
