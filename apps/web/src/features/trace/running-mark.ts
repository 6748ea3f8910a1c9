import type { TreeCall } from '@heddle/trace-model'

/** Most calls end before; one that runs longer may have lost its end with its program. */
const usualMinutes = 10

/** A note for a call that has been running for long. */
export function runningMark({ startedAt, endedAt }: Pick<TreeCall, 'startedAt' | 'endedAt'>, nowMs: number): string | undefined {
  return endedAt === null && nowMs - startedAt > usualMinutes * 60_000 ? `no end for over ${usualMinutes} minutes` : undefined
}
