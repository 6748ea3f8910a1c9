import vectors from '../../vectors/objective-vectors.json' with { type: 'json' }
import type { LossSettings } from '../settings/rl-settings.ts'
import { resolveRlSettings } from '../settings/resolve-rl-settings.ts'
import type { TrainingConfig } from '../settings/training-config.ts'
import type { SequenceTokens } from '../rl-loss.ts'

/** The recorded results of the reference trainer. */
export { vectors }

export const aTrainedModel = { id: 'model-a', contextLength: 32_768, learningRates: { rl: 1e-5, sft: 1e-4 } }

export function lossSettings(config: TrainingConfig = {}): LossSettings {
  return resolveRlSettings(config, aTrainedModel).loss
}

/** A row as the vectors give it: arrays over all tokens, and which sequence each belongs to. */
export interface FlatRow {
  n: readonly number[]
  o: readonly (number | null)[]
  advantages: readonly number[]
  weights: readonly number[]
  mask: readonly number[]
  reference_logprobs: readonly number[] | null
  original_logprobs: readonly (number | null)[] | null
  sequence?: readonly number[]
}

export function toSequences(row: FlatRow): SequenceTokens[] {
  const ids = row.sequence ?? row.n.map(() => 1)
  return [...new Set(ids)].map((id) => {
    const places = ids.flatMap((each, at) => (each === id ? [at] : []))
    const pick = (values: readonly (number | null)[]) => Float64Array.from(places, (at) => values[at] ?? Number.NaN)
    return {
      mask: Uint8Array.from(places, (at) => row.mask[at]!),
      now: pick(row.n),
      old: pick(row.o),
      reference: row.reference_logprobs && pick(row.reference_logprobs),
      original: row.original_logprobs && pick(row.original_logprobs),
      advantages: pick(row.advantages),
      weights: pick(row.weights),
    }
  })
}

/** The tolerance of the vectors: 2e-6, relative for values above 100. */
export function isClose(value: number, expected: number): boolean {
  return Math.abs(value - expected) <= 2e-6 * (Math.abs(expected) > 100 ? Math.abs(expected) : 1)
}

/** The first place where `values` leaves the tolerance, in words; null where none does. */
export function firstDifference(values: readonly number[], expected: readonly number[]): string | null {
  if (values.length !== expected.length) return `${values.length} values, expected ${expected.length}`
  const at = values.findIndex((value, index) => !isClose(value, expected[index]!))
  return at === -1 ? null : `value ${at} is ${values[at]}, expected ${expected[at]}`
}
