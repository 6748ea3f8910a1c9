import type { EvalResultsRow } from '@heddle/core-api/types'

/** The rows that the metrics of a comparison cover: all, or only those that every run has. */
export const rowSets = ['shared'] as const
export type RowSet = (typeof rowSets)[number] | undefined

export interface SelectedRows {
  rows: readonly EvalResultsRow[]
  /** Rows that every run has, among all that were read. */
  shared: number
}

/** `ids`: the compared runs. All rows are returned as the same array, so that results computed from it are kept. */
export function rowsOfSet(rows: readonly EvalResultsRow[], ids: readonly string[], set: RowSet): SelectedRows {
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

/** Description of the rows that the metrics cover, with their share of all rows. */
export function setText({ read, shared, set, isFiltered }: SetWords): string {
  const rows = `${read === 1 ? '1 row' : `${number(read)} rows`}${isFiltered ? ` ${read === 1 ? 'matches' : 'match'}` : ''}`
  if (shared === read) return `${rows}, ${read === 1 ? 'shared' : 'all shared'}`
  if (set === 'shared') return `${rows}. Figures use the ${number(shared)} shared.`
  return `${rows}, ${number(shared)} shared. Differences use rows of both runs.`
}

const number = (count: number) => count.toLocaleString('en')
