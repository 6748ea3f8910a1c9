import { canonicalJson } from '@heddle/json'
import type { ChildCall } from './child-call.ts'
import { isScorer } from './is-scorer.ts'

/** A predict-and-score call's hints about its predict call. */
export interface PredictHints {
  /** `inputs.model`. */
  model: unknown
  /** `attributes.weave.predict_call_id`. */
  predictCallId: unknown
  /** Keys of the scores that the call returned. */
  scoreKeys: readonly string[]
}
type Likeness = Omit<PredictHints, 'predictCallId'>

/**
 * The call that ran the model: the first child that is not marked as a scorer and runs on the model, is the model, or is named after predicting; else
 * the child that the attributes name by `predictCallId`; else the first that is neither a scorer nor named like a score. `children` are in the order
 * of their start.
 */
export function findPredictCall<Child extends ChildCall>(
  children: readonly Child[],
  { predictCallId, ...hints }: PredictHints,
): Child | undefined {
  return likelyCalls(children, hints)[0] ?? children.find(({ id }) => id === predictCallId) ?? otherCalls(children, hints)[0]
}

/** The children of which the first is the predict call of a predict-and-score call that does not name it. */
export function predictCandidates<Child extends ChildCall>(children: readonly Child[], hints: Likeness): Child[] {
  const likely = likelyCalls(children, hints)
  return likely.length > 0 ? likely : otherCalls(children, hints)
}

function likelyCalls<Child extends ChildCall>(children: readonly Child[], { model }: Likeness): Child[] {
  return children.filter((child) => !child.isMarked && (runsOn(child, model) || /predict|invoke/i.test(child.op_short_name)))
}

function otherCalls<Child extends ChildCall>(children: readonly Child[], { scoreKeys }: Likeness): Child[] {
  return children.filter((child) => !isScorer(child) && !scoreKeys.includes(child.op_short_name))
}

/** Models that are plain functions have no `self`: the call is that of the function. */
function runsOn({ self, op_name }: ChildCall, model: unknown): boolean {
  if (model === null || model === undefined) return false
  return op_name === model || (self !== null && (self === model || canonicalJson(self) === canonicalJson(model)))
}
