import type { TreeCall } from './build-tree.ts'

/** Most calls end before; one that runs longer may have lost its end with its program. */
const usualMinutes = 10

/** Says of a call without an end that it has run for long. */
export function runningMark({ startedMs, endedMs }: Pick<TreeCall, 'startedMs' | 'endedMs'>, nowMs: number): string | undefined {
  return endedMs === null && nowMs - startedMs > usualMinutes * 60_000 ? `no end for over ${usualMinutes} minutes` : undefined
}
