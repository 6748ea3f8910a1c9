import type { SpanEncoding } from '../encoding/span-encoding.ts'
import { deliverBody, type Delivery, type DeliveryDeps } from '../transport/deliver-body.ts'
import type { DropReason } from '../ledger/export-stats.ts'
import type { QueuedSpan } from '../ledger/queued-span.ts'
import type { LimitedLog } from '../limited-log.ts'
import { shortenSpan, shorteningSteps } from './shorten-span.ts'

/** Outcome of some spans of a batch. */
export type BatchOutcome =
  | { status: 'sent'; rejected: number }
  | { status: 'dropped'; reason: DropReason; problem: string }
  | { status: 'unavailable'; reason: string; afterMs: number }

export interface BatchDeps extends DeliveryDeps {
  encoding: SpanEncoding
  log: LimitedLog
  /** Message for a request that was rejected permanently. */
  explain(delivery: { httpStatus: number; reason: string }): string
}

/** Each span of a batch appears in exactly one of the results. */
export type BatchResult = { spans: QueuedSpan[]; outcome: BatchOutcome }[]

/** Sends spans as one request, or as several when the server finds it too large. */
export async function sendBatch(deps: BatchDeps, spans: QueuedSpan[], signal: AbortSignal): Promise<BatchResult> {
  const delivery = await deliver(deps, spans, signal)
  if (delivery.status !== 'too-large') return [{ spans, outcome: toOutcome(deps, spans.length, delivery) }]
  const [only] = spans
  if (spans.length === 1 && only !== undefined) return [{ spans, outcome: await sendShortened(deps, only, signal) }]
  const middle = spans.length >> 1
  const older = await sendBatch(deps, spans.slice(0, middle), signal)
  return [...older, ...(await sendBatch(deps, spans.slice(middle), signal))]
}

function deliver(deps: BatchDeps, spans: readonly QueuedSpan[], signal: AbortSignal): Promise<Delivery> {
  return deliverBody(deps, { body: deps.encoding.joinRequest(spans), signal })
}

async function sendShortened(deps: BatchDeps, span: QueuedSpan, signal: AbortSignal): Promise<BatchOutcome> {
  for (const maxCharacters of shorteningSteps) {
    const shortened = span.source && shortenSpan(span.source, maxCharacters)
    if (shortened === undefined) continue
    const delivery = await deliver(deps, [{ ...span, bytes: deps.encoding.encodeSpan(shortened) }], signal)
    if (delivery.status !== 'too-large') return toOutcome(deps, 1, delivery)
  }
  const problem = `the span "${span.name}" (${span.bytes.length} bytes) is too large for the server`
  deps.log.error('too-large', `${problem} and was dropped`)
  return { status: 'dropped', reason: 'too-large', problem }
}

function toOutcome(deps: BatchDeps, spans: number, delivery: Exclude<Delivery, { status: 'too-large' }>): BatchOutcome {
  if (delivery.status === 'unavailable') return delivery
  if (delivery.status !== 'accepted') {
    const problem = deps.explain(delivery)
    deps.log.error(delivery.status, problem)
    return { status: 'dropped', reason: delivery.status, problem }
  }
  const partial = deps.encoding.parseAnswer(delivery.body)
  const rejected = Math.min(partial?.rejectedSpans ?? 0, spans)
  if (rejected > 0) deps.log.error('rejected', `the server rejected ${rejected} of ${spans} spans: ${partial?.errorMessage}`)
  else if (partial !== undefined) deps.log.warn('warning', `the server accepted all spans with a warning: ${partial.errorMessage}`)
  return { status: 'sent', rejected }
}
