import type { Condition } from './call-condition.ts'

const minuteMs = 60_000

/** The condition that calls started in the time up to now. On the minute, so that an address stays the same while a page is drawn again. */
export function startedSince(ms: number): Condition {
  const since = Math.floor((Date.now() - ms) / minuteMs) * minuteMs
  return { path: 'started_at', operator: '>=', value: new Date(since).toISOString() }
}
