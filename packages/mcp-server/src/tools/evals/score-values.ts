import type { EvalResultsRow } from '@heddle/core-api/types'
import { scoreValues as valuesOf } from '@heddle/evaluations'

/** Numbers and booleans in the output of scorers, by their name: `scorer` or `scorer.path`. Booleans count as 1 and 0. */
export function* scoreValues(scores: Readonly<Record<string, unknown>>): Generator<[name: string, value: number, isBoolean: boolean]> {
  for (const { name, value } of valuesOf(scores)) yield [name, Number(value), typeof value === 'boolean']
}

/** Means over the trials of a row, by score. */
export function rowScores(row: EvalResultsRow, evaluation: string): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>()
  for (const { scores } of row.evaluations.find((one) => one.evaluation_call_id === evaluation)?.trials ?? []) {
    for (const [name, value] of scoreValues(scores)) {
      const entry = sums.get(name) ?? { sum: 0, count: 0 }
      sums.set(name, { sum: entry.sum + value, count: entry.count + 1 })
    }
  }
  return new Map([...sums].map(([name, { sum, count }]) => [name, sum / count]))
}

/** Whether a score is the named one, or of the named scorer. */
export function isOfScorer(score: string, scorer: string | undefined): boolean {
  return scorer === undefined || score === scorer || score.startsWith(`${scorer}.`)
}
