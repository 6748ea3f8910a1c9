import type { LossSettings } from './settings/rl-settings.ts'
import type { SequenceObjective, SequenceTokens } from './rl-loss.ts'

/** Metrics of a row about sampler, trainer and clipping. */
export interface RowMetrics {
  loss: number
  sampledTokens: number
  /** Pearson correlation of old and new probability over tokens with both; null for fewer than two or no variance. */
  probsCorrelation: number | null
  /** Mean of the ratio before cap and mask, over tokens with a weight; null without any. */
  ratioMean: number | null
  ratioP95: number | null
  ratioP99: number | null
  /** Share of the tokens with a weight whose ratio the loss clips. */
  clippedFraction: number
}

/** Gathers the metrics of a row from its sequences, in any number of parts. */
export class RowStatistics {
  readonly #settings: LossSettings
  #loss = 0
  #sampledTokens = 0
  #clipped = 0
  readonly #ratios: number[] = []
  readonly #oldProbabilities: number[] = []
  readonly #newProbabilities: number[] = []

  constructor(settings: LossSettings) {
    this.#settings = settings
  }

  add(tokens: SequenceTokens, objective: SequenceObjective): void {
    this.#loss += objective.loss
    for (let t = 0; t < tokens.mask.length; t++) {
      if (tokens.mask[t] === 0) continue
      this.#sampledTokens++
      if (Number.isFinite(tokens.old[t]!)) {
        this.#oldProbabilities.push(Math.exp(tokens.old[t]!))
        this.#newProbabilities.push(Math.exp(tokens.now[t]!))
      }
      if (!(tokens.weights[t]! > 0)) continue
      this.#ratios.push(objective.levelRatios[t]!)
      if (isClipped(objective.levelRatios[t]!, objective.advantages[t]!, this.#settings)) this.#clipped++
    }
  }

  metrics(): RowMetrics {
    const ratios = Float64Array.from(this.#ratios).sort()
    return {
      loss: this.#loss,
      sampledTokens: this.#sampledTokens,
      probsCorrelation: correlation(this.#oldProbabilities, this.#newProbabilities),
      ratioMean: ratios.length === 0 ? null : ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length,
      ratioP95: quantile(ratios, 0.95),
      ratioP99: quantile(ratios, 0.99),
      clippedFraction: ratios.length === 0 ? 0 : this.#clipped / ratios.length,
    }
  }
}

function isClipped(ratio: number, advantage: number, { lossFunction, epsilon, epsilonHigh }: LossSettings): boolean {
  const above = ratio > 1 + epsilonHigh
  const below = ratio < 1 - epsilon
  if (lossFunction === 'cispo') return above || below
  return (advantage > 0 && above) || (advantage < 0 && below)
}

/** The smallest value that at least this share of `sorted` does not exceed. */
function quantile(sorted: Float64Array, share: number): number | null {
  return sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)] ?? null
}

function correlation(left: readonly number[], right: readonly number[]): number | null {
  const count = left.length
  if (count < 2) return null
  const leftMean = left.reduce((sum, value) => sum + value, 0) / count
  const rightMean = right.reduce((sum, value) => sum + value, 0) / count
  let product = 0
  let leftSquares = 0
  let rightSquares = 0
  for (let at = 0; at < count; at++) {
    const leftPart = left[at]! - leftMean
    const rightPart = right[at]! - rightMean
    product += leftPart * rightPart
    leftSquares += leftPart * leftPart
    rightSquares += rightPart * rightPart
  }
  const scale = Math.sqrt(leftSquares) * Math.sqrt(rightSquares)
  return scale > 0 ? product / scale : null
}
