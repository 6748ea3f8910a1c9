import type { SpanEncoding } from '../encoding/span-encoding.ts'
import { deliverBody, type DeliveryDeps } from './deliver-body.ts'
import { countDrop } from './export-stats.ts'
import type { LimitedLog } from './limited-log.ts'
import type { Spool, WaitingFrame } from './spool.ts'

export interface DrainDeps extends DeliveryDeps {
  encoding: SpanEncoding
  log: LimitedLog
  spool: Spool
}

/** Sends what waits on disk, oldest first, until nothing is left, the server is away or refuses the key, or the signal ends it. */
export async function drainSpool(deps: DrainDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const frame = await deps.spool.findFirst()
    if (frame === undefined || !(await sendFrame(deps, frame, signal))) return
    deps.stats.spooled -= frame.spans
    await deps.spool.removeFirst()
  }
}

/** False when the frame has to wait. */
async function sendFrame(deps: DrainDeps, { body, contentType, spans }: WaitingFrame, signal: AbortSignal): Promise<boolean> {
  const { stats, encoding, log } = deps
  if (body === undefined) {
    countDrop(stats, 'spool-lost', spans)
    log.error('spool-lost', `a file of the spool cannot be read; its ${spans} spans are lost`)
    return true
  }
  const delivery = await deliverBody(deps, { body: [body], contentType, signal })
  if (delivery.status === 'unavailable' || delivery.status === 'unauthorized') return false
  if (delivery.status === 'accepted') {
    const partial = contentType === encoding.contentType ? encoding.parseAnswer(delivery.body) : undefined
    const rejected = Math.min(partial?.rejectedSpans ?? 0, spans)
    stats.rejected += rejected
    stats.sent += spans - rejected
    return true
  }
  countDrop(stats, delivery.status, spans)
  log.error(`spool-${delivery.status}`, `${spans} spans from the spool were refused by the server (${delivery.status}) and dropped`)
  return true
}
