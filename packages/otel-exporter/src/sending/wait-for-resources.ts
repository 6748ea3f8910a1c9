import type { SpanResource } from '../pipeline/readable-span.ts'
import { sleep, type Clock } from './clock.ts'
import type { QueuedSpan } from './export-queue.ts'

const resourceTimeoutMs = 1000

/** Waits for asynchronous resource attributes, for a second at most and no longer than the signal allows. */
export async function waitForResources(spans: readonly QueuedSpan[], clock: Clock, signal: AbortSignal): Promise<void> {
  const pending = new Set<SpanResource>()
  for (const { resource } of spans) if (resource.asyncAttributesPending === true) pending.add(resource)
  if (pending.size === 0) return
  const known = Promise.allSettled([...pending].map((resource) => resource.waitForAsyncAttributes?.()))
  await Promise.race([known, sleep(clock, resourceTimeoutMs, signal)])
}
