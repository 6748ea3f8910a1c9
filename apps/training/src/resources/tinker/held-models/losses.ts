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

/** A loss that is a sum over the targets: `at` gives what one of them adds. */
export interface Loss {
  /** The numbers that it needs with each target, by name. */
  needs: readonly string[]
  /** The one of them that is 0 for a target that adds nothing to the loss or its derivative. Null: there is none. */
  factor: 'weights' | 'advantages' | null
  at: (target: Target) => { loss: number; coefficient: number }
}

interface Target {
  now: number
  given: (name: string) => number
}

/** What is 1 for every target where the client sends none. */
const optional: ReadonlySet<string> = new Set(['weights'])

/** The losses, by their names on the wire (https://tinker-docs.thinkingmachines.ai/losses). */
const losses: Readonly<Record<string, (config: LossConfig) => Loss>> = {
  cross_entropy: () => ({
    needs: ['weights'],
    factor: 'weights',
    at: ({ now, given }) => ({ loss: -given('weights') * now, coefficient: -given('weights') }),
  }),

  importance_sampling: () => ({
    needs: ['logprobs', 'advantages'],
    factor: 'advantages',
    at(target) {
      const gain = ratioOf(target) * target.given('advantages')
      return { loss: -gain, coefficient: -gain }
    },
  }),

  /** The smaller of the gains with and without a clipped ratio (Schulman et al. 2017). */
  ppo(config) {
    const clip = readClip(config)
    return {
      needs: ['logprobs', 'advantages'],
      factor: 'advantages',
      at(target) {
        const [ratio, advantage] = [ratioOf(target), target.given('advantages')]
        const clipped = clip(ratio) * advantage
        const gain = Math.min(ratio * advantage, clipped)
        return { loss: -gain, coefficient: gain === clipped && clip(ratio) !== ratio ? 0 : -ratio * advantage }
      },
    }
  },

  /** The clipped ratio is a factor without a gradient (MiniMax 2025, https://arxiv.org/abs/2506.13585). */
  cispo(config) {
    const clip = readClip(config)
    return {
      needs: ['logprobs', 'advantages'],
      factor: 'advantages',
      at(target) {
        const factor = clip(ratioOf(target)) * target.given('advantages')
        return { loss: -factor * target.now, coefficient: -factor }
      },
    }
  },

  /** A quadratic penalty on the distance from the sampled log-probabilities (Richemond et al. 2024). */
  dro(config) {
    const beta = readNumber(config, 'beta', null)
    return {
      needs: ['logprobs', 'advantages'],
      factor: null,
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
  if (Object.hasOwn(losses, name)) return losses[name]!(config)
  const known = Object.keys(losses).join(', ')
  const wayOut = name === 'custom' ? 'a custom loss is computed by the client, from the log-probabilities of forward' : 'use one of these'
  throw badRequest(`loss_fn ${JSON.stringify(name.slice(0, 100))} is not computed here (${known}); ${wayOut}`)
}

/** @throws ApiError 400 for numbers that are missing, or are not as many as the targets */
export function checkLossInput({ needs }: Loss, index: number, given: LossInput['given'], targets: number): void {
  for (const name of needs) {
    const values = given[name]
    if (values === undefined && optional.has(name)) continue
    if (values === undefined) throw badRequest(`data.${index}: loss_fn_inputs has no ${name}, which the loss needs`)
    if (values.length !== targets) throw badRequest(`data.${index}: ${name} has ${values.length} numbers, and target_tokens ${targets}`)
  }
}

/** Whether a target adds nothing, whatever token it is. */
export const addsNothing = ({ factor }: Loss, given: LossInput['given'], at: number): boolean =>
  factor !== null && given[factor]?.[at] === 0

export function computeLoss({ at }: Loss, { now, given }: LossInput): LossOutput {
  const coefficients = new Float64Array(now.length)
  let loss = 0
  for (const [index, logProbability] of now.entries()) {
    const target = at({ now: logProbability, given: (name) => given[name]?.[index] ?? 1 })
    loss += target.loss
    coefficients[index] = target.coefficient
  }
  return { loss, coefficients }
}

const ratioOf = ({ now, given }: Target) => Math.exp(now - given('logprobs'))

/** Bounds of a ratio of probabilities: 0.8 and 1.2 unless they are set. */
function readClip(config: LossConfig): (ratio: number) => number {
  const low = readNumber(config, 'clip_low_threshold', 0.8)
  const high = readNumber(config, 'clip_high_threshold', 1.2)
  return (ratio) => Math.min(Math.max(ratio, low), high)
}

function readNumber(config: LossConfig, name: string, fallback: number | null): number {
  const value = config[name] ?? fallback
  if (typeof value === 'number' && Number.isFinite(value)) return value
  const what = value === null ? 'is missing' : `is ${JSON.stringify(value)}`
  throw badRequest(`loss_fn_config.${name} ${what}; it must be a number`)
}
