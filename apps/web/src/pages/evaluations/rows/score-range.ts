import type { MeasuredRun } from '@heddle/evaluations'
import { valueAt } from '@heddle/evaluations'
import { numberOf, textOf, wholeOf } from '../../../app/search.ts'

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
  /** Further ranges, each of a measure and a run of its own. */
  ranges?: KeptRange[] | undefined
}

/** A range that holds beside others, with the run whose values count, from 1. Undefined: any. */
export interface KeptRange extends ScoreRange {
  of?: number | undefined
}

/** Ranges that hold at once beside the one that is being chosen. */
export const maxKept = 20

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

/** The ranges of an address, all of which must hold: that of the measure that is chosen with the one against it, and those that were kept. */
export function rangesOf(name: string, { from, to, against, againstFrom, againstTo, of, ranges = [] }: RangeSearch): ScoreRanges[] {
  const second = against === undefined ? [] : [{ name: against, from: againstFrom, to: againstTo }]
  const chosen = { ranges: [{ name, from, to }, ...second], run: placeOf(of) }
  return [chosen, ...ranges.map(({ of: run, ...range }) => ({ ranges: [range], run: placeOf(run) }))]
}

const placeOf = (of: number | undefined) => (of === undefined ? undefined : of - 1)

/** Reads kept ranges of an address; one without a measure or an end is left out. Undefined where none is left. */
export function readKeptRanges(value: unknown): KeptRange[] | undefined {
  const ranges = (Array.isArray(value) ? value : []).slice(0, maxKept).flatMap((one: unknown): KeptRange[] => {
    const given = Object(one) as Record<string, unknown>
    const [name, from, to, of] = [textOf(given, 'name'), numberOf(given, 'from'), numberOf(given, 'to'), wholeOf(given, 'of')]
    if (name === undefined || (from === undefined && to === undefined)) return []
    return [{ name, ...(from !== undefined && { from }), ...(to !== undefined && { to }), ...(of !== undefined && { of }) }]
  })
  return ranges.length > 0 ? ranges : undefined
}
