import { canonicalJson } from '@heddle/json'
import type { ChildCall } from './child-call.ts'
import { isMarkedScorer, isScorer } from './scorer-marks.ts'

/** What a predict-and-score call says of its predict call. */
export interface PredictHints {
  /** `inputs.model`. */
  model: unknown
  /** `attributes.weave.predict_call_id`. */
  predictCallId: unknown
  /** Keys of the scores that the call returned. */
  scoreKeys: readonly string[]
}

/**
 * The call that ran the model: the first child that is not marked as a scorer and runs on the model, is the model, or is named after predicting;
 * without one the child that the attributes name; without that the first that is neither a scorer nor named like a score.
 * `children` are in the order of their start.
 */
export function findPredictCall<Child extends ChildCall>(
  children: readonly Child[],
  { model, predictCallId, scoreKeys }: PredictHints,
): Child | undefined {
  return (
    children.find((child) => !isMarkedScorer(child) && (runsOn(child, model) || /predict|invoke/i.test(child.op_short_name))) ??
    children.find(({ id }) => id === predictCallId) ??
    children.find((child) => !isScorer(child) && !scoreKeys.includes(child.op_short_name))
  )
}

/** Models that are plain functions have no `self`: the call is that of the function. */
function runsOn({ self, op_name }: ChildCall, model: unknown): boolean {
  if (model === null || model === undefined) return false
  return op_name === model || (self !== null && (self === model || canonicalJson(self) === canonicalJson(model)))
}
