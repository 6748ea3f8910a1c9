import fc from 'fast-check'
import type { LossSettings } from '../settings/rl-settings.ts'
import type { SequenceTokens } from '../rl-loss.ts'
import { lossSettings } from './objective-vectors.ts'

const logProbability = fc.double({ min: -4, max: -0.01, noNaN: true })
const perhapsMissing = fc.oneof({ arbitrary: logProbability, weight: 4 }, { arbitrary: fc.constant(Number.NaN), weight: 1 })

const sequence: fc.Arbitrary<SequenceTokens> = fc
  .array(
    fc.record({
      mask: fc.constantFrom(1, 1, 1, 0),
      now: logProbability,
      old: perhapsMissing,
      reference: logProbability,
      original: perhapsMissing,
      advantage: fc.double({ min: -2, max: 2, noNaN: true }),
      weight: fc.double({ min: 0.1, max: 2, noNaN: true }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((tokens) => ({
    // The first token always counts, so that no sequence is empty.
    mask: Uint8Array.from(tokens, ({ mask }, at) => (at === 0 ? 1 : mask)),
    now: Float64Array.from(tokens, ({ now }) => now),
    old: Float64Array.from(tokens, ({ old }) => old),
    reference: Float64Array.from(tokens, ({ reference }) => reference),
    original: Float64Array.from(tokens, ({ original }) => original),
    advantages: Float64Array.from(tokens, ({ advantage }) => advantage),
    weights: Float64Array.from(tokens, ({ weight }) => weight),
  }))

/** Rows with references and recomputed values, and missing ones. */
export const randomRows = fc.array(sequence, { minLength: 1, maxLength: 4 })

/** Every knob of the loss, each on and off. */
export const randomSettings: fc.Arbitrary<LossSettings> = fc
  .record({
    ppo: fc.boolean(),
    epsilon: fc.constantFrom(null, 0.1, 0.3, 1),
    epsilon_high: fc.constantFrom(null, 0.2, 0.6),
    importance_sampling_level: fc.constantFrom('token', 'sequence', 'average', 'geometric_average'),
    max_negative_advantage_importance_sampling_weight: fc.constantFrom(null, 0.9, 1.5),
    mask_prob_ratio: fc.boolean(),
    kimi_k2_tau: fc.constantFrom(null, 0.1),
    kl_penalty_coef: fc.constantFrom(0, 0.3),
    kl_penalty_source: fc.constantFrom('current_learner', 'sample'),
    truncated_importance_sampling: fc.constantFrom(null, 1.2),
  })
  .map(lossSettings)
