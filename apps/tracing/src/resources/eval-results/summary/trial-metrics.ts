import type { LeafTable } from './leaf-table.ts'

/** What a summary counts of the trials of one evaluation. */
export interface TrialMetrics {
  leaves: LeafTable
  /** Tokens of each trial; NaN where it has none. */
  tokens: Float64Array
  /** Cost of each trial; NaN where it has none. */
  costs: Float64Array
}
