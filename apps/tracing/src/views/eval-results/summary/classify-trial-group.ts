import type { TrialGroup } from '../../../query/results/summary-query.ts'
import { readEvalCallFacts } from '../../../records/calls/results/eval-call-facts.ts'
import { readScoreShape, type ScoreShape } from '../../../records/calls/results/score-shape.ts'
import type { ChildCall } from '../trials/child-call.ts'
import { predictCandidates } from '../trials/predict-call.ts'
import { mayBeLate } from '../trials/late-scores.ts'

/** What all trials of a group have in common. */
export interface TrialGroupClass {
  shape: ScoreShape
  /** Kind of the predict call, of which each trial has one; null where they have no predict call. */
  predictKind: string | null
}

/**
 * Classifies all trials of a group together; `sample` are the calls below one of them. Undefined if the trials must be read one by one: they name
 * their predict call by its id, it is ambiguous, scores may have arrived late, there are too many of them, or an older version wrote the calls.
 */
export function classifyTrialGroup(group: TrialGroup, sample: readonly ChildCall[]): TrialGroupClass | undefined {
  const shape = readScoreShape(group.score_shape)
  const { model, namesPredictCall } = readEvalCallFacts(group.eval_marks)
  if (shape === undefined || namesPredictCall || model === true || group.has_older !== 0) return undefined
  if (sample.some((child) => mayBeLate(child, shape.keys))) return undefined
  const candidates = predictCandidates(sample, { model, scoreKeys: shape.keys })
  return candidates.length > 1 ? undefined : { shape, predictKind: candidates[0]?.kind ?? null }
}
