/** True for the op of predict-and-score calls, by its short name. Those of subclasses of evaluations count. */
export function isTrialOp(shortName: string): boolean {
  return shortName.endsWith('.predict_and_score') || shortName.endsWith('.predictAndScore')
}
