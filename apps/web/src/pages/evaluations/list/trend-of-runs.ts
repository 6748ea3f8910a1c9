import type { EvalSummary } from '@heddle/core-api/types'
import { sum } from '../../../lib/sum.ts'
import type { ScoreSeries } from '../../../features/evaluations/scores-over-runs.ts'
import { evaluationOf } from './filter-runs.ts'
import type { ListedRun } from '../listed-run.ts'

/**
 * The evaluation whose scores are drawn where none is chosen: that of the newest of the runs which ended with a result, where at least two of its
 * runs did. Undefined: those of all runs.
 */
export function drawnEvaluation(runs: readonly ListedRun[]): string | undefined {
  const newest = runs.find(({ status }) => status === 'completed')
  const name = newest && evaluationOf(newest)
  return runs.filter((run) => run.status === 'completed' && evaluationOf(run) === name).length > 1 ? name : undefined
}

export interface TrendFacts {
  best: ScoreSeries<ListedRun>['points'][number]
  latest: ScoreSeries<ListedRun>['points'][number]
  /** Difference of the latest run from the previous one. */
  change: number
  /** Dollars of all these runs; undefined where no price is known. */
  spent: number | undefined
}

/** Undefined without points. The newest of equal ones is the best. */
export function trendFacts({ points }: ScoreSeries<ListedRun>, summaries: ReadonlyMap<string, EvalSummary>): TrendFacts | undefined {
  const latest = points.at(-1)
  if (!latest) return undefined
  const best = points.reduce((most, point) => (point.value >= most.value ? point : most))
  const costs = points.flatMap(({ run }) => summaries.get(run.id)?.predict_total_cost ?? [])
  return {
    best,
    latest,
    change: latest.value - (points.at(-2)?.value ?? latest.value),
    spent: costs.length === 0 ? undefined : sum(costs),
  }
}
