import type { SpanEncoding } from '../encoding/span-encoding.ts'
import { deliverBody, type DeliveryDeps } from '../transport/deliver-body.ts'
import { countDrop } from '../ledger/export-stats.ts'
import type { LimitedLog } from '../limited-log.ts'
import type { Spool, SpoolFrame, WaitingFrame } from './spool.ts'

export interface DrainDeps extends DeliveryDeps {
  encoding: SpanEncoding
  log: LimitedLog
  spool: Spool
}

/** Why the frames end: the spool is empty, the server is unavailable or refuses the key, or the signal aborted. */
type DrainEnd = 'empty' | 'unavailable' | 'unauthorized' | 'stopped'

/** Sends what waits on disk, oldest first. */
export async function drainSpool(deps: DrainDeps, signal: AbortSignal): Promise<DrainEnd> {
  while (!signal.aborted) {
    const frame = await deps.spool.findFirst()
    if (frame === undefined) return 'empty'
    const sent = await sendFrame(deps, frame, signal)
    if (sent === 'unavailable' || sent === 'unauthorized') return sent
    if (sent === 'replaced') continue
    deps.stats.spooled -= frame.spans
    await deps.spool.removeFirst()
  }
  return 'stopped'
}

type FrameOutcome = 'done' | 'replaced' | 'unavailable' | 'unauthorized'

async function sendFrame(deps: DrainDeps, { body, spans }: WaitingFrame, signal: AbortSignal): Promise<FrameOutcome> {
  const { stats, encoding, log } = deps
  if (body === undefined) {
    countDrop(stats, 'spool-lost', spans)
    log.error('spool-lost', `failed to read a spool file; its ${spans} spans are lost`)
    return 'done'
  }
  const delivery = await deliverBody(deps, { body: [body], signal })
  if (delivery.status === 'unavailable' || delivery.status === 'unauthorized') return delivery.status
  if (delivery.status === 'accepted') {
    const rejected = Math.min(encoding.parseAnswer(delivery.body)?.rejectedSpans ?? 0, spans)
    stats.rejected += rejected
    stats.sent += spans - rejected
    return 'done'
  }
  if (delivery.status === 'too-large' && (await splitFirst(deps, { body, spans }))) return 'replaced'
  countDrop(stats, delivery.status, spans)
  log.error(`spool-${delivery.status}`, `the server rejected ${spans} spans from the spool (${delivery.status}); they were dropped`)
  return 'done'
}

/** On disk, so that a half that has been sent is not sent again with the other. */
async function splitFirst({ encoding, spool }: DrainDeps, { body, spans }: SpoolFrame): Promise<boolean> {
  const halves = encoding.splitRequest(body)
  if (halves === undefined) return false
  const older = spans >> 1
  const [first, second] = halves
  return spool.replaceFirst([
    { body: first, spans: older },
    { body: second, spans: spans - older },
  ])
}
