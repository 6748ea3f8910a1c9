/** True for the op of predict-and-score calls, by its short name. Subclasses of evaluations count. */
export function isTrialOp(shortName: string): boolean {
  return shortName.endsWith('.predict_and_score') || shortName.endsWith('.predictAndScore')
}
