import { webhookLimits } from './webhook-limits.ts'

/**
 * Milliseconds from an attempt to the next one: they double with each attempt from five seconds to an hour. At least `askedMs`, of which an hour
 * counts.
 */
export function delayAfter(attempt: number, askedMs: number): number {
  const { firstDelayMs, longestDelayMs } = webhookLimits
  return Math.min(Math.max(firstDelayMs * 2 ** (attempt - 1), askedMs), longestDelayMs)
}
