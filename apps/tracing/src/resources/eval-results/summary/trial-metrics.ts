import { createLeafTable, type LeafTable } from './leaf-table.ts'

/** What a summary counts of the trials of one evaluation. */
export interface TrialMetrics {
  leaves: LeafTable
  /** Tokens of each trial; NaN where it has none. */
  tokens: Float64Array
  /** Cost of each trial; NaN where it has none. */
  costs: Float64Array
}

/** Metrics of trials of which nothing is known yet. */
export function createTrialMetrics(trials: number): TrialMetrics {
  return {
    leaves: createLeafTable(trials),
    tokens: new Float64Array(trials).fill(Number.NaN),
    costs: new Float64Array(trials).fill(Number.NaN),
  }
}
