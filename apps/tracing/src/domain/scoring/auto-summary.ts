import type { JsonObject } from '@heddle/core-api'
import { isJsonNumber, isJsonObject } from '@heddle/core-api/internal'

/** The summary of a column of values: `{}` for an empty column, null where nothing in it can be summarized. */
export type ColumnSummary = JsonObject | null

/**
 * Summarizes one column of an evaluation. An empty object represents a row that was not scored; it counts in the denominator of fractions only. Nulls
 * do not count. The first value decides: booleans are counted, numbers averaged, objects summarized by key; other values have no summary.
 */
export function autoSummary(column: readonly unknown[]): ColumnSummary {
  return column.length === 0 ? {} : summarize(column, 0)
}

/** `outerUnscored`: unscored rows of the columns around this one. */
function summarize(column: readonly unknown[], outerUnscored: number): ColumnSummary {
  const unscored = outerUnscored + column.filter(isEmptyObject).length
  const values = column.filter((value) => value !== null && value !== undefined && !isEmptyObject(value))
  const [first] = values
  if (typeof first === 'boolean') return countTrue(values, unscored)
  if (isNumber(first)) return average(values)
  return isJsonObject(first) ? summarizeKeys(values.filter(isJsonObject), unscored) : null
}

function countTrue(values: readonly unknown[], unscored: number): JsonObject {
  const count = values.filter((value) => value === true).length
  return { true_count: count, true_fraction: count / (values.length + unscored) }
}

/** Values that are not numbers are ignored. Booleans are numbers here, as in clients. */
function average(values: readonly unknown[]): JsonObject {
  const numbers = values.filter((value) => isNumber(value) || typeof value === 'boolean').map(Number)
  return { mean: numbers.reduce((sum, number) => sum + number, 0) / numbers.length }
}

function summarizeKeys(objects: readonly JsonObject[], unscored: number): ColumnSummary {
  const keys = new Set(objects.flatMap(Object.keys))
  const summary: JsonObject = {}
  for (const key of keys) {
    const values = objects.flatMap((object) => (Object.hasOwn(object, key) ? [object[key]] : []))
    const own = summarize(values, unscored)
    if (own === null) continue
    // A summary that has the key itself, such as `mean` of numbers under `mean`, is not nested.
    if (Object.hasOwn(own, key)) Object.assign(summary, own)
    else summary[key] = own
  }
  return Object.keys(summary).length === 0 ? null : summary
}

const isEmptyObject = (value: unknown) => isJsonObject(value) && Object.keys(value).length === 0
const isNumber = (value: unknown) => typeof value === 'number' || isJsonNumber(value)
