import type { EvalScorerStats, EvalSummary } from '@heddle/core-api/types'

/** A score of a run in short. */
export interface SparkScore {
  name: string
  value: number
  isRate: boolean
  /** Length of its bar, from 0 to 1. */
  share: number
}

/** The least and the greatest value of each score that is not a rate, among the runs of a list. */
export type ScoreScales = ReadonlyMap<string, { low: number; high: number }>

const nameOf = ({ scorer_key, path }: EvalScorerStats) => (path === null ? scorer_key : `${scorer_key}.${path}`)

/** The ranges for bars of several runs. Each contains 0, so that a bar's length is proportional to its value. */
export function scalesOf(summaries: Iterable<EvalSummary>): ScoreScales {
  const scales = new Map<string, { low: number; high: number }>()
  for (const { scorer_stats } of summaries)
    for (const stats of scorer_stats) {
      if (stats.pass_rate !== null || stats.numeric_mean === null) continue
      const { low, high } = scales.get(nameOf(stats)) ?? { low: 0, high: 0 }
      scales.set(nameOf(stats), { low: Math.min(low, stats.numeric_mean), high: Math.max(high, stats.numeric_mean) })
    }
  return scales
}

/** The scores of a run that have a mean, in their order. */
export function sparkScores(summary: EvalSummary | undefined, scales: ScoreScales): SparkScore[] {
  return (summary?.scorer_stats ?? []).flatMap((stats): SparkScore[] => {
    const name = nameOf(stats)
    if (stats.pass_rate !== null) return [{ name, value: stats.pass_rate, isRate: true, share: stats.pass_rate }]
    if (stats.numeric_mean === null) return []
    return [{ name, value: stats.numeric_mean, isRate: false, share: shareOf(stats.numeric_mean, scales.get(name)) }]
  })
}

/** By its distance from 0 among all runs, so that a bar of a negative value is as long as that of the same positive one. */
function shareOf(value: number, { low, high } = { low: 0, high: 0 }): number {
  const most = Math.max(-low, high)
  return most === 0 ? 0 : Math.abs(value) / most
}

/** Names of the scores that runs have a mean of, each once, in the order in which they first occur. */
export const namesOfScores = (summaries: Iterable<EvalSummary>): string[] => [
  ...new Set(
    [...summaries].flatMap(({ scorer_stats }) => scorer_stats.filter((one) => (one.pass_rate ?? one.numeric_mean) !== null).map(nameOf)),
  ),
]
