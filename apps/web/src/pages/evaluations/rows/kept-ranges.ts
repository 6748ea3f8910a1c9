import { finite, type SearchOf, text, whole } from '../../../lib/search.ts'

/** Rows whose values are in a range, both ends included. */
export interface ScoreRange {
  name: string
  from?: number | undefined
  to?: number | undefined
}

/** One of several ranges, with the run whose values count, from 1. Undefined: any. */
export interface KeptRange extends ScoreRange {
  of?: number | undefined
}

/** Most ranges that apply in addition to the one being chosen. */
export const maxKept = 20

/** Reads kept ranges of an address; ranges without a measure or an end are ignored. Undefined if none is left. */
export function readKeptRanges(value: unknown): KeptRange[] | undefined {
  const ranges = (Array.isArray(value) ? value : []).slice(0, maxKept).flatMap((one: unknown): KeptRange[] => {
    const given = Object(one) as Record<string, unknown>
    const [name, from, to, of] = [text(given['name']), finite(given['from']), finite(given['to']), whole(given['of'])]
    if (name === undefined || (from === undefined && to === undefined)) return []
    return [{ name, ...(from !== undefined && { from }), ...(to !== undefined && { to }), ...(of !== undefined && { of }) }]
  })
  return ranges.length > 0 ? ranges : undefined
}

/** Ranges of values that choose rows, as search parameters. */
export const rangeParams = {
  from: finite,
  to: finite,
  /** Second measure, for the scatter. */
  against: text,
  againstFrom: finite,
  againstTo: finite,
  /** The run whose values count, from 1. Undefined: any. */
  of: whole,
  /** Further ranges, each with its own measure and run. */
  ranges: readKeptRanges,
}
export type RangeSearch = SearchOf<typeof rangeParams>
