import type { EvaluationTrials } from './evaluation-trials.ts'
import type { TrialPlace } from './group-rows.ts'

/** Where the trial of a predict-and-score call stands; undefined for a call that came after the trials were found. */
export function placeOfTrial(evaluations: readonly EvaluationTrials[], id: string): TrialPlace | undefined {
  for (let evaluation = 0; evaluation < evaluations.length; evaluation++) {
    const trial = evaluations[evaluation]!.places.get(id)
    if (trial !== undefined) return { evaluation, trial }
  }
  return undefined
}
