import type { EvalScorerStats, EvalSummary } from '@heddle/core-api/types'

/** Name of a score: the scorer, and the path inside its output. */
export function scoreName({ scorer_key, path }: Pick<EvalScorerStats, 'scorer_key' | 'path'>): string {
  return path === null ? scorer_key : `${scorer_key}.${path}`
}

/** The pass rate or the mean of each score, by its name. */
export function headlineScores({ scorer_stats }: EvalSummary): Record<string, number> {
  const scores = scorer_stats.flatMap((stats) => {
    const value = stats.pass_rate ?? stats.numeric_mean
    return value === null ? [] : [[scoreName(stats), round(value)] as const]
  })
  return Object.fromEntries(scores)
}

/** Four significant decimals: what a reader compares. */
export function round(value: number): number {
  return Number(value.toPrecision(4))
}
