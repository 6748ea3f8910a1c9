import type { EvalResultsRow } from '@heddle/core-api/types'
import { isJsonNumber } from '@heddle/json/exact'
import { type SearchOf, text, textOrBoolean } from '../../../lib/search.ts'

/** Different values of a column; one with more splits nothing. */
export const maxParts = 20
const maxCharacters = 60
/** Columns of a row that are looked at. */
const maxColumns = 200

/** A column of the dataset whose values split the rows into a few parts, such as training and test. */
export interface RowSplit {
  column: string
  /** The parts that most rows are in first. */
  parts: readonly { value: string; rows: number }[]
}

/** Search parameters of splits. */
export const splitParams = { split: text, part: textOrBoolean }
export type SplitSearch = SearchOf<typeof splitParams>

/**
 * Columns with at least two different values that are short texts, whole numbers, true and false, in the order of the columns. A row may have none.
 * A column with any other value is none of them.
 */
export function splitsOf(rows: readonly EvalResultsRow[]): RowSplit[] {
  const columns = Object.keys(membersOf(rows[0])).slice(0, maxColumns)
  return columns.flatMap((column): RowSplit[] => {
    const parts = new Map<string, number>()
    for (const row of rows) {
      if (isMissing(row, column)) continue
      const value = partOf(row, column)
      if (value === undefined) return []
      parts.set(value, (parts.get(value) ?? 0) + 1)
      if (parts.size > maxParts) return []
    }
    const listed = [...parts].map(([value, count]) => ({ value, rows: count }))
    // A column with a different value in each row does not split them.
    if (parts.size < 2 || parts.size === rows.length) return []
    return [{ column, parts: listed.toSorted((one, other) => other.rows - one.rows || (one.value < other.value ? -1 : 1)) }]
  })
}

/** The rows of a part; all as they are where none is chosen. */
export function rowsOfPart(rows: readonly EvalResultsRow[], { split, part }: SplitSearch): readonly EvalResultsRow[] {
  return split === undefined || part === undefined ? rows : rows.filter((row) => partOf(row, split) === part)
}

const isMissing = (row: EvalResultsRow, column: string) => [undefined, null, ''].some((none) => none === membersOf(row)[column])

function partOf(row: EvalResultsRow, column: string): string | undefined {
  const members = membersOf(row)
  const value = members[column]
  if (isJsonNumber(value)) return /^-?\d+$/.test(value.text) ? value.text : undefined
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isSafeInteger(value))) return String(value)
  return typeof value === 'string' && value !== '' && value.length <= maxCharacters ? value : undefined
}

function membersOf(row: EvalResultsRow | undefined): Record<string, unknown> {
  const data: unknown = row?.raw_data_row
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Record<string, unknown>) : {}
}
