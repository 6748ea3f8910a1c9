import { parseJson } from '@heddle/json'
import type { StoredScores } from '../eval-results-store.ts'
import type { ChildCall } from '../trials/child-call.ts'
import { findLateScores } from '../trials/late-scores.ts'
import { findPredictCall } from '../trials/predict-call.ts'

/** Place of the predict call among the calls below; -1 without one. `unclear` where it takes the calls of each family to tell. */
export type FamilyRuling = number | 'unclear'

/** What the rules look at in a predict-and-score call. */
export type FamilyParent = Pick<StoredScores, 'model' | 'predict_call_id'> & { scoreKeys: readonly string[] }

/**
 * Rules once for all families of a signature under parents that are alike. `sample` are the calls of one of them. A predict call that is named by
 * its id, and scores that came late, differ from family to family.
 */
export function ruleFamily(sample: readonly ChildCall[], { model, predict_call_id, scoreKeys }: FamilyParent): FamilyRuling {
  const isNamed = predict_call_id !== '' && predict_call_id !== 'null'
  if (isNamed || findLateScores(scoreKeys, sample).size > 0) return 'unclear'
  const predictCall = findPredictCall(sample, { model: model === '' ? null : parseJson(model), predictCallId: null, scoreKeys })
  return predictCall === undefined ? -1 : sample.indexOf(predictCall)
}

/** Rules on families, each kind once. */
export function createFamilyRulings(samples: ReadonlyMap<string, readonly ChildCall[]>) {
  const known = new Map<string, FamilyRuling>()
  return (signature: string, parent: FamilyParent): FamilyRuling => {
    const kind = JSON.stringify([signature, parent.model, parent.predict_call_id !== '', parent.scoreKeys])
    let ruling = known.get(kind)
    if (ruling === undefined) {
      ruling = ruleFamily(samples.get(signature) ?? [], parent)
      if (known.size < maxKinds) known.set(kind, ruling)
    }
    return ruling
  }
}

/** Kinds of families that are remembered. */
const maxKinds = 10_000
