import type { LossSettings } from './settings/rl-settings.ts'
import { type RowMetrics, RowStatistics } from './row-statistics.ts'
import { type RowContext, type SequenceObjective, sequenceObjective } from './sequence-objective.ts'
import type { SequenceTokens } from './sequence-tokens.ts'
import { meanReferenceDistance } from './shape-advantages.ts'

export interface RowObjective {
  sequences: SequenceObjective[]
  metrics: RowMetrics
  context: RowContext
}

/** The objective of a whole row, whose loss is one optimizer step. */
export function rowObjective(row: readonly SequenceTokens[], settings: LossSettings): RowObjective {
  const context = { sampledTokens: countSampled(row), meanDistance: meanReferenceDistance(row, settings) }
  const statistics = new RowStatistics(settings)
  const sequences = row.map((tokens) => {
    const objective = sequenceObjective(tokens, settings, context)
    statistics.add(tokens, objective)
    return objective
  })
  return { sequences, metrics: statistics.metrics(), context }
}

export function countSampled(row: readonly { mask: Uint8Array }[]): number {
  return row.reduce((sum, { mask }) => sum + mask.reduce((count, sampled) => count + sampled, 0), 0)
}
