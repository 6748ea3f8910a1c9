import type { EvalScorerStats, EvalSummary } from '@heddle/core-api/types'
import { type EvaluationRun, type Interval, wilsonInterval } from '@heddle/evaluations'

export interface ScorePoint<Run extends EvaluationRun = EvaluationRun> {
  run: Run
  value: number
  /** With 95% confidence. Undefined for anything but a rate of single trials: otherwise the error of the mean requires all rows. */
  interval: Interval | undefined
}

/** A score in the runs that have it, the oldest first. */
export interface ScoreSeries<Run extends EvaluationRun = EvaluationRun> {
  name: string
  isRate: boolean
  points: ScorePoint<Run>[]
}

const confidence = 0.95

/** The scores that at least two runs have. Runs are ordered newest first. `isSingle` returns whether a run has one trial per row. */
export function scoresOverRuns<Run extends EvaluationRun>(
  runs: readonly Run[],
  summaries: ReadonlyMap<string, EvalSummary>,
  isSingle: (run: Run) => boolean,
): ScoreSeries<Run>[] {
  const series = new Map<string, ScoreSeries<Run>>()
  for (const run of runs.toReversed()) {
    for (const stats of summaries.get(run.id)?.scorer_stats ?? []) {
      const { scorer_key, path, pass_rate, numeric_mean } = stats
      const value = pass_rate ?? numeric_mean
      if (value === null) continue
      const name = path === null ? scorer_key : `${scorer_key}.${path}`
      const one: ScoreSeries<Run> = series.get(name) ?? { name, isRate: pass_rate !== null, points: [] }
      one.points.push({ run, value, interval: isSingle(run) ? intervalOf(stats) : undefined })
      series.set(name, one)
    }
  }
  return [...series.values()].filter(({ points }) => points.length > 1)
}

const intervalOf = ({ pass_rate, pass_true_count: passed, pass_known_count: trials }: EvalScorerStats) =>
  pass_rate === null ? undefined : wilsonInterval({ passed, trials }, confidence)
