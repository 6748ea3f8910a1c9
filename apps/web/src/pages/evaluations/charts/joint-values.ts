import type { Measure } from '@heddle/evaluations'
import { valueAt } from '@heddle/evaluations'

/** Rows of one run that have the same two values. */
export interface JointValue {
  x: number
  y: number
  rows: number
}

/** Different pairs of a run that a chart draws. */
export const maxPairs = 2_000

/** The pairs of values that the rows of a run have, those of most rows first, and how many rows the chart leaves out. */
export function jointValues(x: Measure | undefined, y: Measure | undefined): { pairs: JointValue[]; rowsLeftOut: number } {
  const pairs = new Map<string, JointValue>()
  for (let row = 0; x && y && row < x.byRow.length; row++) {
    const [one, other] = [valueAt(x, row), valueAt(y, row)]
    if (Number.isNaN(one) || Number.isNaN(other)) continue
    const key = `${one} ${other}`
    const pair = pairs.get(key)
    if (pair) pair.rows++
    else pairs.set(key, { x: one, y: other, rows: 1 })
  }
  const all = [...pairs.values()].toSorted((one, other) => other.rows - one.rows)
  return { pairs: all.slice(0, maxPairs), rowsLeftOut: all.slice(maxPairs).reduce((sum, { rows }) => sum + rows, 0) }
}
