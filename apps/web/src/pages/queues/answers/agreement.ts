import { isJsonNumber, stringifyJson } from '@heddle/json/exact'
import { sum } from '../../../lib/sum.ts'

/** One annotator's answer for one item. */
export interface AnnotatorAnswer {
  item: string
  annotator: string
  value: unknown
}

/** How far annotators agree on a field. */
export interface Agreement {
  /** Items that at least two annotators answered; all others do not contribute to the agreement. */
  items: number
  /** Share of equal pairs of answers, as a mean over these items. Null without one. */
  percent: number | null
  /** Krippendorff's alpha: 1 is full agreement, 0 what chance gives. Null where all answers are equal, or there are none. */
  alpha: number | null
}

/** Answers that are all numbers count by their distance, all others as equal or not. If one annotator has several for an item, the last counts. */
export function agreementOf(answers: readonly AnnotatorAnswer[]): Agreement {
  const units = [...unitsOf(answers).values()].filter((unit) => unit.length >= 2)
  const values = units.flat()
  if (units.length === 0) return { items: 0, percent: null, alpha: null }
  const isNumeric = values.every((value) => typeof value === 'number' || isJsonNumber(value))
  const disagreement = isNumeric ? squaredDistances : unequalPairs
  const observed = units.reduce((sum, unit) => sum + disagreement(unit) / (unit.length - 1), 0) / values.length
  const expected = disagreement(values) / (values.length * (values.length - 1))
  const equal = units.reduce((sum, unit) => sum + 1 - unequalPairs(unit) / (unit.length * (unit.length - 1)), 0)
  return { items: units.length, percent: equal / units.length, alpha: expected === 0 ? null : 1 - observed / expected }
}

function unitsOf(answers: readonly AnnotatorAnswer[]): Map<string, unknown[]> {
  const byItem = new Map<string, Map<string, unknown>>()
  for (const { item, annotator, value } of answers) {
    const own = byItem.get(item) ?? new Map<string, unknown>()
    byItem.set(item, own.set(annotator, value))
  }
  return new Map([...byItem].map(([item, own]) => [item, [...own.values()]]))
}

/** Ordered pairs of different values. */
function unequalPairs(values: readonly unknown[]): number {
  const counts = new Map<string, number>()
  for (const value of values) {
    const key = stringifyJson(value)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return values.length ** 2 - [...counts.values()].reduce((sum, count) => sum + count ** 2, 0)
}

/** Squares of the distances, summed over ordered pairs. */
function squaredDistances(values: readonly unknown[]): number {
  const numbers = values.map(Number)
  const mean = sum(numbers) / numbers.length
  return 2 * numbers.length * numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0)
}
