import type { EvalResultsRow } from '@heddle/core-api'

/** Of which rows the figures of a comparison are: of all, or of those that every run has. */
export const rowSets = ['shared'] as const
export type RowSet = (typeof rowSets)[number] | undefined

export interface ChosenSet {
  rows: readonly EvalResultsRow[]
  /** Rows that every run has, among all that were read. */
  shared: number
}

/** `ids`: the runs that are compared. All rows come back as they are, so that what is computed of them stays. */
export function rowsOfSet(rows: readonly EvalResultsRow[], ids: readonly string[], set: RowSet): ChosenSet {
  const shared = rows.filter(({ evaluations }) => ids.every((id) => evaluations.some(({ evaluation_call_id: own }) => own === id)))
  return { rows: set === 'shared' ? shared : rows, shared: shared.length }
}

interface SetWords {
  /** Rows that were read. */
  read: number
  shared: number
  set: RowSet
  /** Rows were read by a filter. */
  isFiltered: boolean
}

/** Of which rows the figures are, in words, with the number of those left out. */
export function setText({ read, shared, set, isFiltered }: SetWords): string {
  const left = read - shared
  if (set === 'shared') {
    const of = shared === 1 ? 'the one row' : `the ${number(shared)} rows`
    return `Figures are of ${of} ${isFiltered ? 'of the filter ' : ''}that every run has; ${leftText(left)}.`
  }
  const differences = 'Differences are of the rows that both runs have.'
  const missing =
    left === 0
      ? ''
      : ` ${number(left)} ${left === 1 ? 'is' : 'are'} missing in a run, whose differences leave ${left === 1 ? 'it' : 'them'} out.`
  return `${countText(read, isFiltered)}; ${number(shared)} of them in every run. ${differences}${missing}`
}

const number = (count: number) => count.toLocaleString('en')

function leftText(left: number): string {
  if (left === 0) return 'none is left out'
  return left === 1 ? '1 that a run does not have is left out' : `${number(left)} that a run does not have are left out`
}

function countText(count: number, isFiltered: boolean): string {
  const rows = count === 1 ? '1 row' : `${number(count)} rows`
  if (!isFiltered) return `${rows} in all`
  return count === 1 ? `${rows} matches the filter` : `${rows} match the filter`
}
