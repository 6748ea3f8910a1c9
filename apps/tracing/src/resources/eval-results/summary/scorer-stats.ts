import type { EvalScorerStats } from '@heddle/core-api'
import { type Dimension, leafKinds } from './leaf-table.ts'

/** Statistics of one dimension while trials are counted. */
export interface StatsCounter {
  add(kind: number, value: number): void
  finish(): EvalScorerStats
}

/** Counts the leaves of one dimension. `firstKind` is that of the first leaf. */
export function createStatsCounter({ scorer_key, path }: Dimension, firstKind: number): StatsCounter {
  let trials = 0
  let numbers = 0
  let sum = 0
  let passes = 0
  let known = 0
  return {
    add(kind, value) {
      trials++
      if (kind === leafKinds.number) {
        numbers++
        sum += value
      } else if (kind === leafKinds.boolean) {
        known++
        passes += value
      }
    },
    finish: () => ({
      scorer_key,
      path,
      value_type: typeOf(firstKind),
      trial_count: trials,
      numeric_count: numbers,
      numeric_mean: share(sum, numbers),
      pass_true_count: passes,
      pass_known_count: known,
      pass_rate: share(passes, known),
      pass_signal_coverage: share(known, trials),
    }),
  }
}

function typeOf(kind: number): EvalScorerStats['value_type'] {
  if (kind === leafKinds.text) return 'text'
  return kind === leafKinds.boolean ? 'binary' : 'continuous'
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
