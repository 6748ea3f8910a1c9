/** A confidence interval with both ends; `low` is never above `high`. */
export interface Interval {
  low: number
  high: number
}
