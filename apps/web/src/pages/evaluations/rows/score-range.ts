import type { MeasuredRun } from '@heddle/evaluations'
import { valueAt } from '@heddle/evaluations'

/** Rows whose values are in a range, both ends included. */
export interface ScoreRange {
  name: string
  from?: number | undefined
  to?: number | undefined
}

export interface ScoreRanges {
  ranges: readonly ScoreRange[]
  /** Place of the run whose values count, from 0. Undefined: any run, but all ranges in the same one. */
  run?: number | undefined
}

/** Ranges of values that choose rows, as the address has them. */
export interface RangeSearch {
  from?: number | undefined
  to?: number | undefined
  /** Second measure, for the scatter. */
  against?: string | undefined
  againstFrom?: number | undefined
  againstTo?: number | undefined
  /** The run whose values count, from 1. Undefined: any. */
  of?: number | undefined
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

/** The ranges of an address, of the measure that is chosen and of the one against it. */
export function rangesOf(name: string, { from, to, against, againstFrom, againstTo, of }: RangeSearch): ScoreRanges {
  const second = against === undefined ? [] : [{ name: against, from: againstFrom, to: againstTo }]
  return { ranges: [{ name, from, to }, ...second], run: of === undefined ? undefined : of - 1 }
}
