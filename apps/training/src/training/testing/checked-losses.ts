import { distillationObjective } from '../../objective/distillation-loss.ts'
import { dpoObjective } from '../../objective/dpo-objective.ts'
import { countSampled, meanKlEstimate, sequenceObjective, type SequenceTokens } from '../../objective/rl-loss.ts'
import { sftObjective } from '../../objective/sft-objective.ts'
import { lossSettings } from '../../objective/testing/objective-vectors.ts'
import type { TrainingConfig } from '../../objective/settings/training-config.ts'
import { computeLoss, findLoss, type LossConfig } from '../../resources/tinker/held-models/losses.ts'
import type { Scalar, ScalarTape } from '../../testing/scalar-tape.ts'
import { toEngineCoefficients } from '../to-engine-coefficients.ts'

/** What a loss compares the log-probabilities of each sequence with, aligned with its tokens. */
export interface SequenceInputs {
  /** 1 on the tokens that count. */
  mask: Uint8Array
  old: Float32Array
  reference: Float32Array
  advantages: Float64Array
  weights: Float64Array
}

/** A loss as it is computed, and as its formula reads. */
export interface CheckedLoss {
  name: string
  /** Derivatives of the loss by the log-probabilities of each sequence, as an engine takes them. */
  coefficients: (now: readonly Float32Array[], batch: readonly SequenceInputs[]) => Float32Array[]
  /** The loss on a tape. `now` has the log-probabilities of the tokens that count, of each sequence in turn. */
  formula: (tape: ScalarTape, now: readonly Scalar[][], batch: readonly SequenceInputs[]) => Scalar
}

/** A token that counts, with the numbers that its loss is made of. */
interface Token {
  now: Scalar
  old: number
  reference: number
  advantage: number
  weight: number
}

function tokensOf(now: readonly Scalar[], { mask, ...given }: SequenceInputs): Token[] {
  const places = [...mask.keys()].filter((t) => mask[t] === 1)
  return places.map((t, at) => ({
    now: now[at]!,
    old: given.old[t]!,
    reference: given.reference[t]!,
    advantage: given.advantages[t]!,
    weight: given.weights[t]!,
  }))
}

const allTokens = (now: readonly Scalar[][], batch: readonly SequenceInputs[]) => batch.flatMap((each, s) => tokensOf(now[s]!, each))

/** Operations that the formulas share. */
const on = (tape: ScalarTape) => ({
  scaled: (factor: number, scalar: Scalar) => tape.multiply(tape.constant(factor), scalar),
  mean: (scalars: readonly Scalar[]) => tape.multiply(tape.constant(1 / scalars.length), tape.sum(scalars)),
  /** exp(now - old) */
  ratio: ({ now, old }: Token) => tape.exponential(tape.add(now, tape.constant(-old))),
  clipped(scalar: Scalar, low: number, high: number) {
    const value = tape.valueOf(scalar)
    return value < low ? tape.constant(low) : value > high ? tape.constant(high) : scalar
  },
  smaller: (a: Scalar, b: Scalar) => (tape.valueOf(a) <= tape.valueOf(b) ? a : b),
  frozen: (scalar: Scalar) => tape.constant(tape.valueOf(scalar)),
  minus: (scalar: Scalar) => tape.multiply(tape.constant(-1), scalar),
})

const supervised: CheckedLoss = {
  name: 'cross entropy of conversations',
  coefficients(now, batch) {
    const { loss, coefficients } = sftObjective(
      batch.map(({ mask }, s) => ({ labels: mask, now: now[s]! })),
      countSampled(batch),
    )
    return coefficients.map((each) => toEngineCoefficients({ loss, coefficients: each }))
  },
  formula: (tape, now) => on(tape).minus(on(tape).mean(now.flat())),
}

const preferences: CheckedLoss = {
  name: 'DPO',
  coefficients(now, batch) {
    const [chosen, rejected] = batch.map(({ mask, reference }, s) => ({ labels: mask, now: now[s]!, reference }))
    const { loss, ...pair } = dpoObjective({ chosen: chosen!, rejected: rejected! }, { beta: 0.3, labelSmoothing: 0.1 }, 1)
    return [pair.chosen, pair.rejected].map((coefficients) => toEngineCoefficients({ loss, coefficients }))
  },
  formula(tape, now, batch) {
    const { scaled, minus } = on(tape)
    const logRatio = (s: number) =>
      tape.sum(tokensOf(now[s]!, batch[s]!).map(({ now: own, reference }) => tape.add(own, tape.constant(-reference))))
    const h = scaled(0.3, tape.add(logRatio(0), minus(logRatio(1))))
    const minusLogSigmoid = (x: Scalar) => tape.logarithm(tape.add(tape.constant(1), tape.exponential(minus(x))))
    return tape.add(scaled(0.9, minusLogSigmoid(h)), scaled(0.1, minusLogSigmoid(minus(h))))
  },
}

/** A loss of rewards, or that of a teacher. */
function ofRow(name: string, config: TrainingConfig, formula: CheckedLoss['formula'], objectiveOf = sequenceObjective): CheckedLoss {
  const settings = lossSettings(config)
  return {
    name,
    formula,
    coefficients(now, batch) {
      const row: SequenceTokens[] = batch.map((each, s) => ({ ...each, now: now[s]!, original: null }))
      const context = { sampledTokens: countSampled(row), meanDistance: meanKlEstimate(row, settings) }
      return row.map((tokens) => toEngineCoefficients(objectiveOf(tokens, settings, context)))
    },
  }
}

const bounds = { epsilon: 0.2, epsilon_high: 0.3 }

const rewards: CheckedLoss[] = [
  ofRow('rewards with CISPO', bounds, (tape, now, batch) => {
    const { scaled, mean, ratio, clipped, frozen } = on(tape)
    const each = allTokens(now, batch).map((token) =>
      scaled(-token.advantage * token.weight, tape.multiply(frozen(clipped(ratio(token), 0.8, 1.3)), token.now)),
    )
    return mean(each)
  }),
  ofRow('rewards with PPO', { ...bounds, ppo: true }, (tape, now, batch) => {
    const { scaled, mean, ratio, clipped, smaller } = on(tape)
    const each = allTokens(now, batch).map((token) => {
      const [plain, bounded] = [ratio(token), clipped(ratio(token), 0.8, 1.3)].map((own) => scaled(token.advantage, own))
      return scaled(-token.weight, smaller(plain!, bounded!))
    })
    return mean(each)
  }),
  ofRow('rewards with the ratio of GSPO', { ...bounds, ppo: true, importance_sampling_level: 'sequence' }, (tape, now, batch) => {
    const { scaled, mean, clipped, smaller } = on(tape)
    const each = batch.flatMap((own, s) => {
      const tokens = tokensOf(now[s]!, own)
      const ofSequence = tape.exponential(mean(tokens.map((token) => tape.add(token.now, tape.constant(-token.old)))))
      return tokens.map(({ advantage, weight }) =>
        scaled(-weight, smaller(scaled(advantage, ofSequence), scaled(advantage, clipped(ofSequence, 0.8, 1.3)))),
      )
    })
    return mean(each)
  }),
  ofRow('rewards with a KL penalty', { ...bounds, kl_penalty_coef: 0.5 }, (tape, now, batch) => {
    const { scaled, mean, ratio, clipped, frozen } = on(tape)
    const tokens = allTokens(now, batch)
    const distances = tokens.map((token) => tape.valueOf(token.now) - token.reference)
    const meanDistance = distances.reduce((sum, distance) => sum + distance, 0) / distances.length
    const each = tokens.map((token, at) => {
      const advantage = token.advantage + 0.5 * (meanDistance - distances[at]!)
      return scaled(-advantage * token.weight, tape.multiply(frozen(clipped(ratio(token), 0.8, 1.3)), token.now))
    })
    return mean(each)
  }),
  ofRow(
    'on-policy distillation',
    bounds,
    (tape, now, batch) => {
      const { mean, ratio, clipped, frozen } = on(tape)
      const each = allTokens(now, batch).map((token) => {
        const distance = tape.constant(tape.valueOf(token.now) - token.reference)
        return tape.multiply(tape.multiply(frozen(clipped(ratio(token), 0.8, 1.3)), distance), token.now)
      })
      return mean(each)
    },
    distillationObjective,
  ),
]

/** A loss of the Tinker API, which is a sum over the tokens. */
function ofTinker(name: string, config: LossConfig, formula: CheckedLoss['formula']): CheckedLoss {
  const loss = findLoss(name, config)
  return {
    name: `${name} of the Tinker API`,
    formula,
    coefficients: (now, batch) =>
      batch.map(({ mask, old, advantages, weights }, s) => {
        const given = {
          logprobs: old,
          advantages: Float32Array.from(advantages, (value, t) => value * mask[t]!),
          weights: Float32Array.from(weights, (value, t) => value * mask[t]!),
          sequence_ratio_mask: Float32Array.from(mask),
        }
        const { coefficients } = computeLoss(loss, { now: now[s]!, given })
        return Float32Array.from(coefficients, (value, t) => value * mask[t]!)
      }),
  }
}

const clip = { clip_low_threshold: 0.8, clip_high_threshold: 1.3 }

const tinker: CheckedLoss[] = [
  ofTinker('cross_entropy', {}, (tape, now, batch) =>
    tape.sum(allTokens(now, batch).map((token) => on(tape).scaled(-token.weight, token.now))),
  ),
  ofTinker('importance_sampling', {}, (tape, now, batch) =>
    tape.sum(allTokens(now, batch).map((token) => on(tape).scaled(-token.advantage, on(tape).ratio(token)))),
  ),
  ofTinker('ppo', clip, (tape, now, batch) => {
    const { scaled, ratio, clipped, smaller, minus } = on(tape)
    const gain = (token: Token) => smaller(scaled(token.advantage, ratio(token)), scaled(token.advantage, clipped(ratio(token), 0.8, 1.3)))
    return minus(tape.sum(allTokens(now, batch).map(gain)))
  }),
  ofTinker('gspo', clip, (tape, now, batch) => {
    const { scaled, mean, clipped, smaller, minus } = on(tape)
    const gains = batch.flatMap((own, s) => {
      const tokens = tokensOf(now[s]!, own)
      const difference = mean(tokens.map((token) => tape.add(token.now, tape.constant(-token.old))))
      const ofSequence = Math.exp(tape.valueOf(difference))
      return tokens.map((token) => {
        // stop_gradient(s / p) p
        const ratio = scaled(ofSequence / Math.exp(tape.valueOf(token.now)), tape.exponential(token.now))
        return smaller(scaled(token.advantage, ratio), scaled(token.advantage, clipped(ratio, 0.8, 1.3)))
      })
    })
    return minus(tape.sum(gains))
  }),
  ofTinker('cispo', clip, (tape, now, batch) => {
    const { scaled, ratio, clipped, frozen } = on(tape)
    const each = (token: Token) => scaled(-token.advantage, tape.multiply(frozen(clipped(ratio(token), 0.8, 1.3)), token.now))
    return tape.sum(allTokens(now, batch).map(each))
  }),
  ofTinker('dro', { beta: 0.4 }, (tape, now, batch) => {
    const { scaled } = on(tape)
    const each = (token: Token) => {
      const distance = tape.add(token.now, tape.constant(-token.old))
      return tape.add(scaled(-token.advantage, token.now), scaled(0.2, tape.multiply(distance, distance)))
    }
    return tape.sum(allTokens(now, batch).map(each))
  }),
]

/** Every loss that jobs and the Tinker API train with. */
export const checkedLosses: readonly CheckedLoss[] = [supervised, preferences, ...rewards, ...tinker]
