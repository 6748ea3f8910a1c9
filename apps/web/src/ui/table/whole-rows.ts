import type { RowsBetween } from './rows-in-sight.ts'

/** Rows that are drawn whole in one frame: those of a screen take longer than the 50 ms after which scrolling stutters. */
const rowsAtOnce = 12
/** With more new rows than these in sight, rows were jumped over. */
const maxPassed = 8

interface RowRanges {
  inSight: RowsBetween
  /** Rows that are in the page: those in sight, and some around them. */
  drawn: RowsBetween
}

export const noRows: RowsBetween = { first: 0, last: -1 }

/** The next of the rows that are drawn whole, those in sight first. Undefined when all are. */
export function withMoreWhole(whole: RowsBetween, { inSight, drawn }: RowRanges): RowsBetween | undefined {
  const kept = between(whole, drawn)
  const next = isEmpty(between(kept, inSight)) ? { first: inSight.first, last: inSight.first - 1 } : kept
  const grown = widened(next, covers(next, inSight) ? drawn : inSight)
  return covers(grown, drawn) ? undefined : grown
}

/** The rows that are drawn whole after scrolling: none of those that fly past. Undefined when all are. */
export function wholeAfterScroll(
  whole: RowsBetween | undefined,
  now: RowRanges & { isJump: boolean; isFlight: boolean },
): RowsBetween | undefined {
  if (now.isFlight && now.isJump) return noRows
  if (now.isJump) return withMoreWhole(noRows, now)
  return whole && withMoreWhole(whole, now)
}

/** Whether most rows in sight are new. False for the first that are drawn. */
export function isJump(drawnBefore: RowsBetween | undefined, inSight: RowsBetween): boolean {
  if (drawnBefore === undefined) return false
  return countOf(inSight) - countOf(between(drawnBefore, inSight)) > maxPassed
}

/** Adds rows below, as people read on; above if there are not enough below. */
function widened(rows: RowsBetween, within: RowsBetween): RowsBetween {
  const last = Math.max(rows.last, Math.min(within.last, rows.last + rowsAtOnce))
  const left = rowsAtOnce - (last - rows.last)
  return { first: Math.min(rows.first, Math.max(within.first, rows.first - left)), last }
}

const countOf = ({ first, last }: RowsBetween) => Math.max(0, last - first + 1)
const isEmpty = (rows: RowsBetween) => countOf(rows) === 0
const between = (one: RowsBetween, other: RowsBetween): RowsBetween => ({
  first: Math.max(one.first, other.first),
  last: Math.min(one.last, other.last),
})
const covers = (rows: RowsBetween, others: RowsBetween) => rows.first <= others.first && rows.last >= others.last
