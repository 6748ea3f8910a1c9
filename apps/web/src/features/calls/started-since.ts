import type { Condition } from '../filter/call-condition.ts'

const minuteMs = 60_000

/** The condition that calls started within this time. Rounded to the minute, so that an address is stable while a page is rendered again. */
export function startedSince(ms: number): Condition {
  const since = Math.floor((Date.now() - ms) / minuteMs) * minuteMs
  return { path: 'started_at', operator: '>=', value: new Date(since).toISOString() }
}
