import type { EvalSummary } from '@heddle/core-api'
import type { EvaluationRun } from '@heddle/evaluations'

/** A score in the runs that have it, the oldest first. */
export interface ScoreSeries<Run extends EvaluationRun = EvaluationRun> {
  name: string
  isRate: boolean
  points: { run: Run; value: number }[]
}

/** The scores that at least two runs have. Runs come with the newest first. */
export function scoresOverRuns<Run extends EvaluationRun>(
  runs: readonly Run[],
  summaries: ReadonlyMap<string, EvalSummary>,
): ScoreSeries<Run>[] {
  const series = new Map<string, ScoreSeries<Run>>()
  for (const run of runs.toReversed()) {
    for (const { scorer_key, path, pass_rate, numeric_mean } of summaries.get(run.id)?.scorer_stats ?? []) {
      const value = pass_rate ?? numeric_mean
      if (value === null) continue
      const name = path === null ? scorer_key : `${scorer_key}.${path}`
      const one: ScoreSeries<Run> = series.get(name) ?? { name, isRate: pass_rate !== null, points: [] }
      one.points.push({ run, value })
      series.set(name, one)
    }
  }
  return [...series.values()].filter(({ points }) => points.length > 1)
}
