import type { ProjectScope } from '@heddle/identity'
import type { EvaluationTrials } from '../rows/evaluation-trials.ts'
import { type ResultRow, trialsOf } from '../rows/group-rows.ts'
import { readTrials, type TrialsDeps, type TrialsView } from '../trials/read-trials.ts'
import { createLeafTable } from './leaf-table.ts'
import type { TrialMetrics } from './trial-metrics.ts'

interface Wanted {
  project: ProjectScope
  evaluations: readonly EvaluationTrials[]
  rows: readonly ResultRow[]
  view: TrialsView
}

/** Reads what a summary counts of the trials of some rows, by the places of the evaluations. */
export async function readMetrics(deps: TrialsDeps, { project, evaluations, rows, view }: Wanted): Promise<TrialMetrics[]> {
  const metrics = evaluations.map(({ trials: { length } }) => ({
    leaves: createLeafTable(length),
    tokens: new Float64Array(length).fill(Number.NaN),
    costs: new Float64Array(length).fill(Number.NaN),
  }))
  const keys = rows.flatMap((row) => [...trialsOf(row)].map(({ evaluation, trial }) => evaluations[evaluation]!.trials[trial]!))
  for await (const page of readTrials(deps, { project, keys, view })) {
    for (const { trial } of page) {
      const index = evaluations.findIndex(({ places }) => places.has(trial.predict_and_score_call_id))
      const place = evaluations[index]?.places.get(trial.predict_and_score_call_id)
      if (place === undefined) continue
      metrics[index]!.leaves.set(place, trial.scores)
      metrics[index]!.tokens[place] = trial.total_tokens ?? Number.NaN
      metrics[index]!.costs[place] = trial.total_cost ?? Number.NaN
    }
  }
  return metrics
}
