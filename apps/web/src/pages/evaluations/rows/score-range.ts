import type { MeasuredRun } from '@heddle/evaluations'
import { valueAt } from '@heddle/evaluations'
import type { RangeSearch, ScoreRange } from './kept-ranges.ts'

export interface ScoreRanges {
  ranges: readonly ScoreRange[]
  /** Index of the run whose values count, from 0. Undefined: any run, but all ranges in the same one. */
  run?: number | undefined
}

/** Whether a row is in all ranges. Without an end that is set, also rows without a value are. */
export function isInRanges(runs: readonly MeasuredRun[], { ranges, run }: ScoreRanges, place: number): boolean {
  const set = ranges.filter(({ from, to }) => from !== undefined || to !== undefined)
  if (set.length === 0) return true
  const counted = run === undefined ? runs : runs.slice(run, run + 1)
  return counted.some(({ measures }) =>
    set.every(({ name, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }) => {
      const measure = measures.get(name)
      const value = measure ? valueAt(measure, place) : Number.NaN
      return value >= from && value <= to
    }),
  )
}

/** The ranges of an address, all of which must hold: that of the selected measure and the one it is plotted against, and the kept ones. */
export function rangesOf(name: string, { from, to, against, againstFrom, againstTo, of, ranges = [] }: RangeSearch): ScoreRanges[] {
  const second = against === undefined ? [] : [{ name: against, from: againstFrom, to: againstTo }]
  const chosen = { ranges: [{ name, from, to }, ...second], run: placeOf(of) }
  return [chosen, ...ranges.map(({ of: run, ...range }) => ({ ranges: [range], run: placeOf(run) }))]
}

const placeOf = (of: number | undefined) => (of === undefined ? undefined : of - 1)
