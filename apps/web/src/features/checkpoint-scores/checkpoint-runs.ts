import { parseRef } from '@heddle/core-api'
import type { EvalSummary } from '@heddle/core-api/types'
import type { EvaluationRun } from '@heddle/evaluations'
import { type ScoreSeries, scoresOverRuns } from '../evaluations/scores-over-runs.ts'

/** A run of an evaluation on a checkpoint. */
export interface CheckpointRun extends EvaluationRun {
  step: number
  /** Name of the evaluation; empty where the run names none. */
  evaluation: string
  /** Mean seconds that the model took per row; null where the run does not report it. */
  latency_seconds: number | null
}

/** A score over the checkpoints of a model, the lowest step first. */
export type CheckpointScore = ScoreSeries<CheckpointRun>

export interface ScoresOfEvaluation {
  evaluation: string
  series: ScoreSeries<CheckpointRun>[]
}

/** The name of the evaluation that a run is of: runs of several versions belong together. */
export function evaluationOf({ self }: Readonly<Record<string, unknown>>): string {
  const ref = typeof self === 'string' ? parseRef(self) : undefined
  return ref?.kind === 'object' ? ref.name : ''
}

/**
 * Scores over the steps of a model, separately for each evaluation, rates first; of several runs on a step the newest counts. Runs are ordered newest
 * first. `singles`: names of the evaluations that have one trial per row.
 */
export function scoresOfCheckpoints(
  runs: readonly CheckpointRun[],
  summaries: ReadonlyMap<string, EvalSummary>,
  singles: ReadonlySet<string>,
): ScoresOfEvaluation[] {
  const evaluations = [...new Set(runs.map(({ evaluation }) => evaluation))]
  return evaluations
    .map((evaluation) => ({
      evaluation,
      series: scoresOverRuns(newestOfSteps(runs.filter((run) => run.evaluation === evaluation)), summaries, () =>
        singles.has(evaluation),
      ).toSorted((one, other) => Number(other.isRate) - Number(one.isRate)),
    }))
    .filter(({ series }) => series.length > 0)
}

/** One run for each step, the highest step first. */
function newestOfSteps(runs: readonly CheckpointRun[]): CheckpointRun[] {
  const newest = new Map<number, CheckpointRun>()
  for (const run of runs) if (run.status === 'completed' && !newest.has(run.step)) newest.set(run.step, run)
  return [...newest.values()].toSorted((one, other) => other.step - one.step)
}
