import { compareTexts } from './compare-texts.ts'
import { readDouble, textOfValue } from './field-value.ts'
import type { FieldValues } from './field-values.ts'
import { type ResultRow, trialsOf } from './group-rows.ts'

/** One key of an order of rows, with the values that it orders by. */
export interface SortKey {
  values: FieldValues
  descending: boolean
  /** Place of the evaluation whose trials alone count; null for all, -1 for one that was not requested. */
  scope: number | null
  /** `mean`: over numeric values of the trials. `spread`: highest mean of an evaluation minus the lowest, where all `evaluations` have one. `first`: the first value. */
  kind: 'mean' | 'spread' | 'first'
  /** How many evaluations were requested. */
  evaluations: number
}

/** What a row is ordered by: NaN where it has no number, `''` where it has no text. */
interface Ordered {
  number: number
  text: string
}

/** Orders rows by the keys, and equal ones by digest: numbers before texts before nothing, in both directions. `rows` are in the order of their digests. */
export function sortRows(rows: readonly ResultRow[], keys: readonly SortKey[]): ResultRow[] {
  const ordered = rows.map((row) => ({ row, by: keys.map((key) => orderOf(row, key)) }))
  ordered.sort((one, other) => {
    for (let at = 0; at < keys.length; at++) {
      const order = compare(one.by[at]!, other.by[at]!, keys[at]!.descending ? -1 : 1)
      if (order !== 0) return order
    }
    return 0
  })
  return ordered.map(({ row }) => row)
}

function compare(one: Ordered, other: Ordered, sign: number): number {
  const lacksNumber = Number(Number.isNaN(one.number)) - Number(Number.isNaN(other.number))
  if (lacksNumber !== 0) return lacksNumber
  if (one.number < other.number) return -sign
  if (one.number > other.number) return sign
  const lacksText = Number(one.text === '') - Number(other.text === '')
  return lacksText || sign * compareTexts(one.text, other.text)
}

function orderOf(row: ResultRow, key: SortKey): Ordered {
  if (key.kind === 'mean') return { number: meanOf(row, key.values, key.scope), text: '' }
  if (key.kind === 'spread') return { number: spreadOf(row, key), text: '' }
  const text = textOfValue(key.values.firstIn(row, key.scope))
  return { number: readDouble(text) ?? Number.NaN, text }
}

function meanOf(row: ResultRow, values: FieldValues, scope: number | null): number {
  let sum = 0
  let count = 0
  for (const { evaluation, trial } of trialsOf(row, scope)) {
    const number = readDouble(textOfValue(values.at(evaluation, trial)))
    if (number === null) continue
    sum += number
    count++
  }
  return sum / count
}

function spreadOf(row: ResultRow, { values, evaluations }: SortKey): number {
  const means = Array.from({ length: evaluations }, (_, evaluation) => meanOf(row, values, evaluation))
  return Math.max(...means) - Math.min(...means)
}
