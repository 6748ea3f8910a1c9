import { context, createContextKey } from '@opentelemetry/api'
import { type Bytes, sumOfLengths } from '../encoding/concat-bytes.ts'
import { type Clock, sleep } from '../clock.ts'
import type { ExporterStats } from '../ledger/export-stats.ts'
import type { Transport, TransportAnswer } from './transport.ts'

/** Outcome of a request with all its attempts. */
export type Delivery =
  | { status: 'accepted'; body: Uint8Array }
  | { status: 'too-large' }
  | { status: 'unauthorized' | 'refused'; httpStatus: number; reason: string }
  /** The server may be available again after `afterMs`. */
  | { status: 'unavailable'; reason: string; afterMs: number }

export interface DeliveryDeps {
  transport: Transport
  clock: Clock
  stats: ExporterStats
  headers: Readonly<Record<string, string>>
  /** For one export with all its attempts. */
  timeoutMs: number
  /** Undefined where bodies are sent uncompressed. */
  compress: ((body: readonly Bytes[]) => Promise<Bytes>) | undefined
}

const compressAboveBytes = 1024
const retriedStatuses: readonly number[] = [429, 502, 503, 504]
const reasonCharacters = 300

/** The context key by which the SDK suppresses tracing; keys of the same name are equal. */
const suppressTracing = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

/**
 * Sends one body until it gets a final response or times out. Waits and requests end when the signal aborts. Never rejects.
 * Tracing is suppressed for the requests, so that they produce no spans.
 */
export async function deliverBody(deps: DeliveryDeps, { body, signal }: Body): Promise<Delivery> {
  const { clock, stats } = deps
  const deadline = clock.now() + deps.timeoutMs
  const packed = await pack(deps, body)
  const headers = { ...deps.headers, ...(packed !== body && { 'content-encoding': 'gzip' }) }
  let freshTried = false
  let reason: string | undefined
  for (let failures = 0; ;) {
    stats.requests++
    stats.sentBytes += sumOfLengths(packed)
    const timeoutMs = Math.max(1, Math.ceil(deadline - clock.now()))
    const answer = await untraced(() => deps.transport.send({ body: packed, headers, timeoutMs, signal }))
    const outcome = judge(answer)
    if (outcome.status !== 'retry') return outcome
    // An attempt that was cut says nothing about the server.
    if (!signal.aborted || reason === undefined) reason = outcome.reason
    if (outcome.stale && !freshTried) freshTried = true
    else {
      failures++
      const wait = waitFor(outcome.retryAfter, failures, clock)
      const left = deadline - clock.now()
      if (signal.aborted || wait >= left) return { status: 'unavailable', reason, afterMs: Math.min(wait, deps.timeoutMs) }
      await sleep(clock, wait, signal)
    }
    if (signal.aborted) return { status: 'unavailable', reason, afterMs: 0 }
    stats.retries++
  }
}

interface Body {
  body: readonly Bytes[]
  signal: AbortSignal
}

async function pack({ compress }: DeliveryDeps, body: readonly Bytes[]): Promise<readonly Bytes[]> {
  if (compress === undefined || sumOfLengths(body) <= compressAboveBytes) return body
  return compress(body).then(
    (packed) => [packed],
    () => body,
  )
}

function untraced<T>(send: () => T): T {
  return context.with(context.active().setValue(suppressTracing, true), send)
}

function waitFor(retryAfter: string | undefined, failures: number, clock: Clock): number {
  return parseRetryAfter(retryAfter, clock.wallClock()) ?? jitteredDelay(failures, clock.random)
}

type Judgement = Delivery | { status: 'retry'; reason: string; retryAfter: string | undefined; stale: boolean }

function judge(answer: TransportAnswer): Judgement {
  if (answer.kind === 'failure') {
    return { status: 'retry', reason: answer.reason, retryAfter: undefined, stale: answer.staleConnection }
  }
  const { status, body, retryAfter } = answer
  if (status >= 200 && status < 300) return { status: 'accepted', body }
  if (status === 413) return { status: 'too-large' }
  const reason = `${status} ${new TextDecoder().decode(body.subarray(0, reasonCharacters))}`.trim()
  if (retriedStatuses.includes(status)) return { status: 'retry', reason, retryAfter, stale: false }
  return { status: status === 401 || status === 403 ? 'unauthorized' : 'refused', httpStatus: status, reason }
}

const firstDelayMs = 500
const longestDelayMs = 5000

/** Milliseconds before the next attempt: exponential backoff with full jitter, from half a second to five. */
function jitteredDelay(failures: number, random: () => number): number {
  return random() * Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1))
}

/** Milliseconds of a `Retry-After` header, given as seconds or as a date. Undefined for other values. */
function parseRetryAfter(value: string | undefined, wallClockMs: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = /[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - wallClockMs)
}
