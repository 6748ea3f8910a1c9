import { type Outgoing, OutgoingError, type OutgoingResponse } from '@heddle/outgoing'
import { EngineError } from '../engine.ts'
import { sleep as sleepFor } from '../sleep.ts'

export interface TinkerApiOptions {
  outgoing: Outgoing
  /** URL of the server, without `/api/v1`. */
  url: string
  /** Servers in a private network check none. */
  apiKey: string | null
  /** Waits between attempts. Default: timers. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** The result of a promised request. */
export type FutureResult = { kind: 'message'; bytes: Uint8Array } | { kind: 'json'; value: Record<string, unknown> }

/** A request that the server refused; `message` has the server's response. */
export class TinkerRefusal extends EngineError {
  readonly status: number

  constructor(status: number, message: string) {
    super('unavailable', message)
    this.status = status
  }
}

interface PostOptions {
  signal: AbortSignal
  /** False for a request that must not arrive twice. Default true. */
  isRepeatable?: boolean
}

/** Requests to a server that speaks the Tinker training API, in its protobuf dialect. */
export interface TinkerApi {
  /** @throws EngineError `unavailable` with the server's response */
  get(path: string, signal: AbortSignal): Promise<Record<string, unknown>>
  post(path: string, body: object | Uint8Array, options: PostOptions): Promise<Record<string, unknown>>
  /** Waits for a promised result. @throws EngineError `unavailable` when the work failed, or the server forgot it */
  result(requestId: string, signal: AbortSignal): Promise<FutureResult>
  download(path: string, signal: AbortSignal): Promise<Uint8Array>
}

const attempts = 6
const longestPauseMs = 8_000
const maxResponseBytes = 512 * 2 ** 20
/** A server holds the question for a result up to 300 s. */
const resultTimeoutMs = 330_000
const requestTimeoutMs = 60_000
const downloadTimeoutMs = 600_000
/** Most responses of the server that a result is not ready. */
const maxQuestions = 1_000

interface ApiRequest {
  path: string
  method?: 'GET' | 'POST'
  body?: object | Uint8Array
  timeoutMs?: number
  signal: AbortSignal
  isRepeatable?: boolean
}

export function createTinkerApi({ outgoing, url, apiKey, sleep = sleepFor }: TinkerApiOptions): TinkerApi {
  const base = `${url.replace(/\/+$/, '')}/api/v1`
  const secrets = apiKey === null ? {} : { 'x-api-key': apiKey }

  /** A response below 500 that is not 429; all others are retried. */
  async function send({
    path,
    method = 'POST',
    body,
    timeoutMs = requestTimeoutMs,
    signal,
    isRepeatable = true,
  }: ApiRequest): Promise<OutgoingResponse> {
    const request = {
      url: `${base}/${path}`,
      method,
      headers: body ? { 'content-type': body instanceof Uint8Array ? 'application/x-protobuf' : 'application/json' } : {},
      secrets,
      ...(body && { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
      maxResponseBytes,
      timeoutMs,
      signal,
    }
    for (let attempt = 1; ; attempt++) {
      const response = await outgoing.send(request).catch((error: unknown) => asFailure(error, path))
      const failed = response instanceof EngineError || response.status === 429 || response.status >= 500
      if (!failed) return response
      if (attempt === attempts || !isRepeatable) throw response instanceof EngineError ? response : refusal(path, response)
      await sleep(Math.min(500 * 2 ** (attempt - 1), longestPauseMs), signal)
    }
  }

  async function sendJson(sent: ApiRequest): Promise<Record<string, unknown>> {
    const response = await send(sent)
    if (response.status >= 400) throw refusal(sent.path, response)
    return readJson(sent.path, response)
  }

  return {
    get: (path, signal) => sendJson({ path, method: 'GET', signal }),
    post: (path, body, options) => sendJson({ path, body, ...options }),
    async result(requestId, signal) {
      const path = 'retrieve_future'
      const body = { request_id: requestId, allow_metadata_only: false }
      for (let question = 0; question < maxQuestions; question++) {
        const response = await send({ path, body, timeoutMs: resultTimeoutMs, signal })
        if (response.status === 408) continue
        if (response.status >= 400) throw refusal(path, response)
        if (isMessage(response)) return { kind: 'message', bytes: response.bytes }
        const value = readJson(path, response)
        if (typeof value['error'] === 'string')
          throw new EngineError('unavailable', `the training server failed: ${value['error'].slice(0, 500)}`)
        if (value['type'] !== 'try_again') return { kind: 'json', value }
        await sleep(1_000, signal)
      }
      throw new EngineError('unavailable', `the training server has no result for request ${requestId} after ${maxQuestions} questions`)
    },
    async download(path, signal) {
      const response = await send({ path, method: 'GET', timeoutMs: downloadTimeoutMs, signal })
      if (response.status >= 400) throw refusal(path, response)
      return response.bytes
    },
  }
}

function asFailure(error: unknown, path: string): EngineError {
  if (!(error instanceof OutgoingError)) throw error
  return new EngineError('unavailable', `the training server did not answer ${path}: ${error.message}`, { cause: error })
}

function refusal(path: string, response: OutgoingResponse): TinkerRefusal {
  const said = Buffer.from(response.bytes).toString('utf8').slice(0, 500)
  const hint = response.status === 401 || response.status === 403 ? '; check its key' : ''
  return new TinkerRefusal(response.status, `the training server answered ${path} with ${response.status}${hint}: ${said}`)
}

function isMessage({ headers }: OutgoingResponse): boolean {
  return String(headers['content-type'] ?? '').includes('protobuf')
}

function readJson(path: string, { bytes }: OutgoingResponse): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Reported below when it is not JSON.
  }
  throw new EngineError(
    'unavailable',
    `the training server answered ${path} with something other than a JSON object; is it a Tinker server?`,
  )
}

/** A text of a response. @throws EngineError when it is not there */
export function textField(response: Record<string, unknown>, field: string): string {
  const value = response[field]
  if (typeof value === 'string') return value
  throw new EngineError('unavailable', `the training server left out \`${field}\`; is it a Tinker server of the protobuf dialect?`)
}
