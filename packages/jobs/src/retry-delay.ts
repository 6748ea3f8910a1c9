import type { Timing } from '@heddle/datastore'

const firstMs = 1_000
const longestMs = 5 * 60_000
/** The longest delay between two attempts. */
export const longestDelayMs = 3_600_000

/**
 * Milliseconds until the next attempt: they double with each attempt from a second to five minutes, and half of them is random, so that jobs
 * that failed together do not start together. At least `askedMs`, of which an hour counts.
 */
export function retryDelay({ attempt, askedMs }: { attempt: number; askedMs: number }, timing: Pick<Timing, 'random'>): number {
  const usual = Math.min(firstMs * 2 ** (attempt - 1), longestMs)
  const jittered = usual / 2 + (timing.random() * usual) / 2
  return Math.round(Math.max(jittered, Math.min(askedMs, longestDelayMs)))
}
