import { badRequest } from '@heddle/core-api/internal'

/** One sequence of a batch, by its targets. */
export interface LossInput {
  /** Log-probabilities of the targets under the weights as they are. */
  now: Float32Array
  /** What the client sent with the targets, each as long as they are. */
  given: Readonly<Record<string, Float32Array>>
}

/** The loss of a sequence, and its derivative by the log-probability of each target. */
export interface LossOutput {
  loss: number
  coefficients: Float64Array
}

export type LossConfig = Readonly<Record<string, number | string>>

/** A loss that is a sum over the targets. */
export interface Loss {
  name: string
  /** The numbers that it needs with each target, by name. */
  needs: readonly string[]
  /** Those that it may have with each target. Default: none. */
  takes?: readonly string[]
  /** Those of them that are 0 for a target that adds nothing to the loss or its derivative, whatever token it is. Empty: there is no such target. */
  factors: readonly string[]
  /** A number of the whole sequence that `at` needs for each target. */
  ofSequence?: (input: LossInput) => number
  /** What a target adds. */
  at: (target: Target) => { loss: number; coefficient: number }
}

interface Target {
  now: number
  /** From `ofSequence`; 0 without it. */
  ofSequence: number
  given: (name: string) => number
  /** The number of this name that the client sent with the target, or else `fallback`. */
  own: (name: string, fallback: number) => number
}

/** What is 1 for every target where the client sends none. */
const optional: ReadonlySet<string> = new Set(['weights'])

/** Bounds of a ratio of probabilities, which may be those of a target. */
const thresholds = ['clip_low_threshold', 'clip_high_threshold'] as const

/** The losses, by their names on the wire (https://tinker-docs.thinkingmachines.ai/losses). */
const losses: Readonly<Record<string, (config: LossConfig) => Omit<Loss, 'name'>>> = {
  cross_entropy: () => ({
    needs: ['weights'],
    factors: ['weights'],
    at: ({ now, given }) => ({ loss: -given('weights') * now, coefficient: -given('weights') }),
  }),

  importance_sampling: () => ({
    needs: ['logprobs', 'advantages'],
    factors: ['advantages'],
    at(target) {
      const gain = ratioOf(target) * target.given('advantages')
      return { loss: -gain, coefficient: -gain }
    },
  }),

  /** The smaller of the gains with and without a clipped ratio (Schulman et al. 2017). */
  ppo(config) {
    const clip = readClip(config, [0.8, 1.2])
    return {
      needs: ['logprobs', 'advantages'],
      takes: thresholds,
      factors: ['advantages'],
      at: (target) => clippedGain(ratioOf(target), target, clip),
    }
  },

  /**
   * That of PPO with the ratio of the sequence: the geometric mean of the ratios of the targets that `sequence_ratio_mask` marks. The token-level variant, where
   * each target has the gradient of its own log-probability, so that advantages may differ (Zheng et al. 2025, https://arxiv.org/abs/2507.18071, section 4.3;
   * its bounds are those of section 5.1):
   *
   *     s_t = stop_gradient(s / p_t) p_t,   loss = -sum over t of min(s_t A_t, clip(s_t, low, high) A_t)
   */
  gspo(config) {
    const clip = readClip(config, [1 - 3e-4, 1 + 4e-4])
    return {
      needs: ['logprobs', 'advantages', 'sequence_ratio_mask'],
      takes: thresholds,
      factors: ['advantages', 'sequence_ratio_mask'],
      ofSequence: sequenceRatio,
      at: (target) => clippedGain(target.ofSequence, target, clip),
    }
  },

  /** The clipped ratio is a factor without a gradient (MiniMax 2025, https://arxiv.org/abs/2506.13585). */
  cispo(config) {
    const clip = readClip(config, [0.8, 1.2])
    return {
      needs: ['logprobs', 'advantages'],
      takes: thresholds,
      factors: ['advantages'],
      at(target) {
        const factor = clip(ratioOf(target), target) * target.given('advantages')
        return { loss: -factor * target.now, coefficient: -factor }
      },
    }
  },

  /** A quadratic penalty on the distance from the sampled log-probabilities (Richemond et al. 2024). */
  dro(config) {
    const beta = readNumber(config, 'beta', null)
    return {
      needs: ['logprobs', 'advantages'],
      factors: [],
      at({ now, given }) {
        const distance = now - given('logprobs')
        return {
          loss: -(now * given('advantages') - 0.5 * beta * distance ** 2),
          coefficient: -(given('advantages') - beta * distance),
        }
      },
    }
  },
}

/** Finds a loss by its name. @throws ApiError 400 for one that is not computed here, naming those that are, and for a setting that is not a number */
export function findLoss(name: string, config: LossConfig = {}): Loss {
  if (Object.hasOwn(losses, name)) return { name, ...losses[name]!(config) }
  const known = Object.keys(losses).join(', ')
  throw badRequest(
    `loss_fn ${JSON.stringify(name.slice(0, 100))} is not computed here (${known}); ${waysOut.get(name) ?? 'use one of these'}`,
  )
}

/** What to do instead of a loss that clients know. */
const waysOut: ReadonlyMap<string, string> = new Map([
  ['custom', 'a custom loss is computed by the client, from the log-probabilities of forward'],
  [
    'stable_reinforce',
    'it needs numbers that are not recorded while sampling here; use importance_sampling for samples of the current weights, and ppo, cispo or gspo for older ones',
  ],
])

/** @throws ApiError 400 for numbers that are missing, or are not as many as the targets */
export function checkLossInput({ needs, takes = [] }: Loss, index: number, given: LossInput['given'], targets: number): void {
  for (const name of [...needs, ...takes]) {
    const values = given[name]
    if (values === undefined && (optional.has(name) || takes.includes(name))) continue
    if (values === undefined) throw badRequest(`data.${index}: loss_fn_inputs has no ${name}, which the loss needs`)
    if (values.length !== targets) throw badRequest(`data.${index}: ${name} has ${values.length} numbers, and target_tokens ${targets}`)
  }
}

/** Whether a target adds nothing, whatever token it is. */
export const addsNothing = ({ factors }: Loss, given: LossInput['given'], at: number): boolean =>
  factors.length > 0 && factors.every((name) => given[name]?.[at] === 0)

export function computeLoss({ at, ofSequence }: Loss, input: LossInput): LossOutput {
  const { now, given } = input
  const coefficients = new Float64Array(now.length)
  const shared = ofSequence?.(input) ?? 0
  let loss = 0
  for (const [index, logProbability] of now.entries()) {
    const own = (name: string, fallback: number) => given[name]?.[index] ?? fallback
    const target = at({ now: logProbability, ofSequence: shared, given: (name) => own(name, 1), own })
    loss += target.loss
    coefficients[index] = target.coefficient
  }
  return { loss, coefficients }
}

const ratioOf = ({ now, given }: Target) => Math.exp(now - given('logprobs'))

/** 1 where no target is marked. */
function sequenceRatio({ now, given }: LossInput): number {
  const [old, mask] = [given['logprobs']!, given['sequence_ratio_mask']!]
  let sum = 0
  let marked = 0
  for (const [at, logProbability] of now.entries()) {
    if (mask[at] === 0) continue
    sum += logProbability - old[at]!
    marked += 1
  }
  return marked === 0 ? 1 : Math.exp(sum / marked)
}

/** The smaller of the gains with and without a clipped ratio, as a loss. It has no gradient where the bound is the smaller one. */
function clippedGain(ratio: number, target: Target, clip: Clip): { loss: number; coefficient: number } {
  const advantage = target.given('advantages')
  const bounded = clip(ratio, target)
  const gain = Math.min(ratio * advantage, bounded * advantage)
  return { loss: -gain, coefficient: gain === bounded * advantage && bounded !== ratio ? 0 : -ratio * advantage }
}

type Clip = (ratio: number, target: Target) => number

/** Bounds of a ratio: those of the target, else those that are set, else `defaults`. */
function readClip(config: LossConfig, defaults: readonly [number, number]): Clip {
  const [low, high] = thresholds.map((name, at) => readNumber(config, name, defaults[at]!)) as [number, number]
  return (ratio, { own }) => Math.min(Math.max(ratio, own('clip_low_threshold', low)), own('clip_high_threshold', high))
}

function readNumber(config: LossConfig, name: string, fallback: number | null): number {
  const value = config[name] ?? fallback
  if (typeof value === 'number' && Number.isFinite(value)) return value
  const what = value === null ? 'is missing' : `is ${JSON.stringify(value)}`
  throw badRequest(`loss_fn_config.${name} ${what}; it must be a number`)
}
