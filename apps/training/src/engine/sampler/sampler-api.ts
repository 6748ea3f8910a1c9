import { buffer } from 'node:stream/consumers'
import { type OpenResponse, type Outgoing, OutgoingError, type OutgoingRequest, readEvents } from '@heddle/outgoing'
import { EngineError } from '../engine.ts'
import { sleep as sleepFor } from '../sleep.ts'

export interface SamplerApiOptions {
  outgoing: Outgoing
  /** URL of the server, without `/v1`. */
  url: string
  /** Null where the server checks none. */
  apiKey: string | null
  /** Waits between attempts. Default: timers. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

export type Json = Record<string, unknown>

/** A request that the server refused. `message` names the server, the path and the status, and quotes the response. */
export class SamplerRefusal extends EngineError {
  readonly status: number
  /** The reason given by the server. */
  readonly reason: string

  constructor({ url, path, status, reason }: { url: string; path: string; status: number; reason: string }) {
    const kind = status === badRequest || status === 422 ? 'unsupported' : 'unavailable'
    super(kind, `the sampler at ${url} answered ${path} with ${status}${hintFor(status)}: ${reason}`)
    this.status = status
    this.reason = reason
  }
}

/** Requests to an inference server. Those that fail for a passing reason are sent three times at most. */
export interface SamplerApi {
  readonly url: string
  /** @throws EngineError */
  get(path: string, signal: AbortSignal): Promise<Json>
  /** Returns the text of the response. @throws EngineError */
  post(path: string, body: object, signal: AbortSignal): Promise<string>
  /**
   * The events of a response, each a JSON object, as they arrive; leaving the iteration closes the connection, which ends the work there. `onAccepted`
   * is called when the response begins. @throws EngineError also for an event that reports a failure
   */
  stream(path: string, body: object, options: { signal: AbortSignal; onAccepted?: (() => void) | undefined }): AsyncGenerator<Json>
}

const attempts = 3
const firstPauseMs = 500
const requestTimeoutMs = 120_000
/** Chats have their own limits, which abort the signal. */
const streamTimeoutMs = 24 * 3_600_000
const maxResponseBytes = 2 ** 30
const maxReason = 500
/** Events of SGLang have no status, and most of their errors are those of the request. */
const badRequest = 400
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

export function createSamplerApi({ outgoing, url, apiKey, sleep = sleepFor }: SamplerApiOptions): SamplerApi {
  const base = url.replace(/\/+$/, '').replace(/\/v1$/, '')
  const secrets = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }

  function toRequest(path: string, body: object | undefined, timeoutMs: number, signal: AbortSignal): OutgoingRequest {
    return {
      url: `${base}/${path}`,
      ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      secrets,
      maxResponseBytes,
      timeoutMs,
      signal,
    }
  }

  /** A response below 400. */
  async function open(path: string, request: OutgoingRequest & { signal: AbortSignal }): Promise<OpenResponse> {
    for (let attempt = 1; ; attempt++) {
      const failure = await outgoing.open(request).then(
        async (response) => (response.status < 400 ? response : await refusalOf(path, response)),
        (error: unknown) => unreachable(path, error),
      )
      if (!(failure instanceof EngineError)) return failure
      const isPassing = !(failure instanceof SamplerRefusal) || passing.has(failure.status)
      if (attempt === attempts || !isPassing) throw failure
      await sleep(firstPauseMs * 2 ** (attempt - 1), request.signal)
    }
  }

  async function send(path: string, body: object | undefined, signal: AbortSignal): Promise<string> {
    const { content } = await open(path, { ...toRequest(path, body, requestTimeoutMs, signal), signal })
    return await buffer(content).then(String, (error: unknown) => Promise.reject(unreachable(path, error)))
  }

  async function refusalOf(path: string, { status, content }: OpenResponse): Promise<EngineError> {
    const text = await buffer(content).then(String, () => '')
    return new SamplerRefusal({ url: base, path, status, reason: reasonIn(text).slice(0, maxReason) })
  }

  function unreachable(path: string, error: unknown): EngineError {
    if (!(error instanceof OutgoingError)) throw error
    return new EngineError('unavailable', `the sampler at ${base} did not answer ${path}: ${error.message}`, { cause: error })
  }

  function readEvent(path: string, data: string): Json {
    const event = parseObject(data)
    if (event === null)
      throw new EngineError(
        'unavailable',
        `the sampler at ${base} sent an event of ${path} that is not a JSON object; is it vLLM or SGLang?`,
      )
    const { error } = event
    if (error === undefined) return event
    const status = Number((error as Json | null)?.['code'] ?? badRequest)
    throw new SamplerRefusal({ url: base, path, status, reason: reasonIn(data).slice(0, maxReason) })
  }

  return {
    url: base,
    async get(path, signal) {
      const value = parseObject(await send(path, undefined, signal))
      if (value !== null) return value
      throw new EngineError(
        'unavailable',
        `the sampler at ${base} answered ${path} with something other than a JSON object; is it vLLM or SGLang?`,
      )
    },
    post: send,
    async *stream(path, body, { signal, onAccepted }) {
      const { content } = await open(path, { ...toRequest(path, body, streamTimeoutMs, signal), signal })
      onAccepted?.()
      try {
        for await (const data of readEvents(content)) {
          if (data === '[DONE]') return
          yield readEvent(path, data)
        }
      } catch (error) {
        throw error instanceof OutgoingError ? unreachable(path, error) : error
      }
    },
  }
}

function hintFor(status: number): string {
  return status === 401 || status === 403 ? ' (HEDDLE_SAMPLER_API_KEY is not its key)' : ''
}

/** What a server says of a failure: the message of its JSON, or else its text. */
function reasonIn(text: string): string {
  const body = parseObject(text)
  const error = body?.['error']
  const said = [(error as Json | null | undefined)?.['message'], error, body?.['message'], body?.['error_message'], body?.['detail']]
  return said.find((value) => typeof value === 'string') ?? text
}

function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
  } catch {
    return null
  }
}
