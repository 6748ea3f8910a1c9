import { ApiError } from '../errors.ts'
import type { BytesAnswer, Resource } from '../operation.ts'
import { type Route, type Routes, toRoutes } from '../routes/route.ts'
import type { CallOptions, ClientOf } from './client-of.ts'
import type { Deadline } from './deadline.ts'
import { assertFiniteOptions } from './finite-numbers.ts'
import { isRepeatable, pause } from './retry.ts'
import { readBody } from './read-body.ts'
import { readJsonl } from './read-jsonl.ts'
import { send, toLostError, type Connection, type Sending } from './send.ts'
import { toHttpRequest } from './to-http-request.ts'

/** Converts values to JSON text and back. Pass one that preserves numbers where `1.0` and integers beyond 2^53 matter. */
export interface JsonCodec {
  parse(text: string): unknown
  stringify(value: unknown): string
}

interface ConnectionOptions {
  /** Address of the service, with its path prefix if it has one. */
  baseUrl: string
  /** Sent as the password of basic authentication. Needed for all but the open operations. */
  apiKey?: string
  /** Sent with every request; these override the client's headers. */
  headers?: Readonly<Record<string, string>>
  /** Milliseconds to wait for a response, and between two chunks of a stream. Default 30 000. */
  timeoutMs?: number
  /** Retries after a transient failure, where the request is safe to repeat. Default 2. */
  retries?: number
  /** Maximum bytes of a response that is not a stream, and of a line of a stream. Default 256 MiB. */
  maxAnswerBytes?: number
  json?: JsonCodec
  /** Default: the global one. */
  fetch?: typeof fetch
  /** For tests: the wait between attempts. */
  pause?: Connection['pause']
  /** For tests: the jitter, from 0 to below 1. */
  random?: () => number
  /** For tests: milliseconds since 1970. */
  now?: () => number
}

/** The operations: as a contract, such as `tracing`, or as its routes, such as `tracingRoutes`, which need no schemas. */
export type ClientOptions<Contract extends Readonly<Record<string, Resource>>> = ConnectionOptions &
  ({ contract: Contract } | { routes: Routes<Contract> })

interface Channel {
  connection: Connection
  json: JsonCodec
  maxAnswerBytes: number
}

/**
 * Makes one function per operation of a contract. They resolve to the response, or to an iterable of it, and throw `ApiError`.
 * @throws TypeError when `baseUrl` is not an http or https address, or holds a credential; RangeError for a number that is not finite.
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:7400', apiKey: 'your-key', contract: tracing })
 * typeof client.calls.start // 'function'
 */
export function createClient<const Contract extends Readonly<Record<string, Resource>>>(
  options: ClientOptions<Contract>,
): ClientOf<Contract> {
  assertFiniteOptions(options)
  const channel = openChannel(options)
  const routes: Routes<Contract> = 'routes' in options ? options.routes : toRoutes(options.contract)
  const bind = (resource: Readonly<Record<string, Route>>) => mapValues(resource, (route) => toFunction(channel, route))
  return mapValues(routes, bind) as unknown as ClientOf<Contract>
}

function mapValues<T, U>(source: Readonly<Record<string, T>>, convert: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(source).map(([key, value]) => [key, convert(value)]))
}

function openChannel(options: ConnectionOptions): Channel {
  const credential: Record<string, string> = options.apiKey === undefined ? {} : { authorization: toBasic(options.apiKey) }
  return {
    json: options.json ?? JSON,
    maxAnswerBytes: options.maxAnswerBytes ?? 256 * 1024 * 1024,
    connection: {
      baseUrl: readBaseUrl(options.baseUrl),
      headers: { ...credential, ...options.headers },
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
      timeoutMs: options.timeoutMs ?? 30_000,
      retry: {
        retries: options.retries ?? 2,
        baseDelayMs: 500,
        maxDelayMs: 8_000,
        maxRetryAfterMs: 60_000,
        random: options.random ?? Math.random,
      },
      pause: options.pause ?? pause,
      now: options.now ?? Date.now,
    },
  }
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new TypeError(`baseUrl "${text}" is not an http or https URL such as http://127.0.0.1:7400`)
  }
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl must not contain credentials; pass the key as apiKey')
  return url.href.replace(/\/+$/, '')
}

function toBasic(apiKey: string): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`api:${apiKey}`)))}`
}

type AnyInput = Readonly<Record<string, unknown>>

function toFunction(channel: Channel, route: Route) {
  return (input: AnyInput = {}, options: CallOptions = {}) => {
    const prepare = (): Sending => {
      assertFiniteOptions(options)
      const request = toHttpRequest(route, input, (value) => channel.json.stringify(value))
      return { request, repeatable: isRepeatable(route, input), options }
    }
    return route.stream ? streamAnswer(channel, prepare) : readAnswer(channel, route, prepare)
  }
}

async function readAnswer(channel: Channel, route: Route, prepare: () => Sending): Promise<unknown> {
  const sending = prepare()
  const { bytes, type } = await send(channel.connection, sending, async (response, deadline) => {
    const bytes = await readBody(response, channel.maxAnswerBytes)
    deadline.stop()
    return { bytes, type: response.headers.get('content-type') }
  })
  if (route.output === 'bytes') return { content_type: type ?? 'application/octet-stream', bytes } satisfies BytesAnswer
  const text = new TextDecoder().decode(bytes)
  try {
    return channel.json.parse(text)
  } catch (cause) {
    const what = `${sending.request.method} ${channel.connection.baseUrl}${sending.request.path}`
    throw new ApiError('internal', `response to ${what} is not valid JSON: ${text.slice(0, 100)}`, { cause })
  }
}

async function* streamAnswer(channel: Channel, prepare: () => Sending): AsyncGenerator<unknown, void, undefined> {
  const sending = prepare()
  const { response, deadline } = await send(channel.connection, sending, async (response: Response, deadline: Deadline) => {
    deadline.hold()
    return { response, deadline }
  })
  try {
    if (!response.body) return
    yield* readJsonl(response.body, {
      maxLineLength: channel.maxAnswerBytes,
      parse: (text) => channel.json.parse(text),
      onWait: () => deadline.restart(),
      onArrival: () => deadline.hold(),
    })
  } catch (error) {
    sending.options.signal?.throwIfAborted()
    const timeoutMs = sending.options.timeoutMs ?? channel.connection.timeoutMs
    throw toLostError(error, { what: `response to ${sending.request.path} was interrupted`, timeoutMs, expired: deadline.isExpired() })
  } finally {
    deadline.stop()
  }
}
