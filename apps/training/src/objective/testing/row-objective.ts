import {
  countSampled,
  meanKlEstimate,
  type RowContext,
  type SequenceObjective,
  sequenceObjective,
  type SequenceTokens,
} from '../rl-loss.ts'
import { type RowMetrics, RowStatistics } from '../row-statistics.ts'
import type { LossSettings } from '../settings/rl-settings.ts'

export interface RowObjective {
  sequences: SequenceObjective[]
  metrics: RowMetrics
  context: RowContext
}

/** The objective of a whole row, whose loss is one optimizer step. */
export function rowObjective(row: readonly SequenceTokens[], settings: LossSettings): RowObjective {
  const context = { sampledTokens: countSampled(row), meanDistance: meanKlEstimate(row, settings) }
  const statistics = new RowStatistics(settings)
  const sequences = row.map((tokens) => {
    const objective = sequenceObjective(tokens, settings, context)
    statistics.add(tokens, objective)
    return objective
  })
  return { sequences, metrics: statistics.metrics(), context }
}
