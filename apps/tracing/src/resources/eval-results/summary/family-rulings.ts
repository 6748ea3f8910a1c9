import type { TrialGroup } from '../../../query/results/summary-query.ts'
import { readEvalMarks } from '../../calls/results/eval-marks.ts'
import { readScoreShape, type ScoreShape } from '../../calls/results/score-shape.ts'
import type { ChildCall } from '../trials/child-call.ts'
import { predictCandidates } from '../trials/predict-call.ts'
import { mayBeLate } from '../trials/late-scores.ts'

/** What holds for all trials of a group. */
export interface GroupRuling {
  shape: ScoreShape
  /** Kind of the predict call, of which each trial has one; null where they have no predict call. */
  predictKind: string | null
}

/**
 * Rules once for all trials of a group; `sample` are the calls below one of them. Undefined where the trials must be looked at one by one: they name their
 * predict call by its id, several calls may be it, scores may have come late, there are too many of them, or an older version wrote the calls.
 */
export function ruleGroup(group: TrialGroup, sample: readonly ChildCall[]): GroupRuling | undefined {
  const shape = readScoreShape(group.score_shape)
  const { model, namesPredictCall } = readEvalMarks(group.eval_marks)
  if (shape === undefined || namesPredictCall || model === true || group.has_older !== 0) return undefined
  if (sample.some((child) => mayBeLate(child, shape.keys))) return undefined
  const candidates = predictCandidates(sample, { model, scoreKeys: shape.keys })
  return candidates.length > 1 ? undefined : { shape, predictKind: candidates[0]?.kind ?? null }
}
