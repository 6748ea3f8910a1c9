import type { EvalSummary } from '@heddle/core-api/types'
import { numberText } from '../../lib/texts/number-text.ts'

const shownScores = 3

/** The first scores of a run in one line, with the count of the rest. */
export function scoresText(summary: EvalSummary | undefined): string {
  const scores = (summary?.scorer_stats ?? []).flatMap(({ scorer_key, path, pass_rate, numeric_mean }) => {
    const value = pass_rate ?? numeric_mean
    return value === null ? [] : [`${path === null ? scorer_key : `${scorer_key}.${path}`} ${numberText(value, pass_rate !== null)}`]
  })
  if (scores.length === 0) return '–'
  return [...scores.slice(0, shownScores), ...(scores.length > shownScores ? [`and ${scores.length - shownScores} more`] : [])].join(', ')
}
