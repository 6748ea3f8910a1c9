import type { ImportanceSamplingLevel, LossSettings } from './settings/rl-settings.ts'

/** Differences of log-probabilities beyond it count as it: their exponential would overwhelm everything else. */
const largestDifference = 20

/** Ratios of a sequence, and how they change with the log-probabilities of its tokens. Aligned with its tokens; 0 where nothing was sampled. */
export interface ImportanceRatios {
  /** After the level, before cap and mask. */
  levelRatios: Float64Array
  /** What the loss uses. */
  ratios: Float64Array
  /** The derivative of the ratio by the log-probability of its own token alone. */
  ownSlopes: Float64Array
  /** The derivative of the ratio by the mean difference of the sequence. */
  meanSlopes: Float64Array
}

export interface TokenDifferences {
  /** New minus old log-probability; 0 where the old one is missing. */
  differences: Float64Array
  /** 1 on sampled tokens. */
  mask: Uint8Array
}

/** The importance ratio of each sampled token: difference, level, cap, mask, in this order. */
export function importanceRatios({ differences, mask }: TokenDifferences, settings: LossSettings): ImportanceRatios {
  const length = differences.length
  const result: ImportanceRatios = {
    levelRatios: new Float64Array(length),
    ratios: new Float64Array(length),
    ownSlopes: new Float64Array(length),
    meanSlopes: new Float64Array(length),
  }
  const ofSequence = clippedExponential(maskedMean(differences, mask))
  for (let t = 0; t < length; t++) {
    if (mask[t] === 0) continue
    const { ratio, ownSlope, meanSlope } = levelRatio(settings.level, clippedExponential(differences[t]!), ofSequence)
    const used = capAndMask(ratio, settings)
    result.levelRatios[t] = ratio
    result.ratios[t] = used.ratio
    result.ownSlopes[t] = used.moves ? ownSlope : 0
    result.meanSlopes[t] = used.moves ? meanSlope : 0
  }
  return result
}

interface Exponential {
  value: number
  /** 0 where it was clipped. */
  slope: number
}

function clippedExponential(difference: number): Exponential {
  const value = Math.exp(Math.min(Math.max(difference, -largestDifference), largestDifference))
  return { value, slope: Math.abs(difference) <= largestDifference ? value : 0 }
}

function levelRatio(level: ImportanceSamplingLevel, token: Exponential, sequence: Exponential) {
  switch (level) {
    case 'token':
      return { ratio: token.value, ownSlope: token.slope, meanSlope: 0 }
    case 'sequence':
      return { ratio: sequence.value, ownSlope: 0, meanSlope: sequence.slope }
    case 'average':
      return { ratio: (token.value + sequence.value) / 2, ownSlope: token.slope / 2, meanSlope: sequence.slope / 2 }
    case 'geometric_average': {
      const ratio = Math.sqrt(token.value) * Math.sqrt(sequence.value)
      return { ratio, ownSlope: token.slope === 0 ? 0 : ratio / 2, meanSlope: sequence.slope === 0 ? 0 : ratio / 2 }
    }
  }
}

function capAndMask(ratio: number, { ratioCap, maskRatio, epsilon, epsilonHigh }: LossSettings): { ratio: number; moves: boolean } {
  const capped = ratioCap !== null && ratio > ratioCap
  const value = capped ? ratioCap : ratio
  if (maskRatio && !(value > 1 - epsilon && value < 1 + epsilonHigh)) return { ratio: 0, moves: false }
  return { ratio: value, moves: !capped }
}

function maskedMean(values: Float64Array, mask: Uint8Array): number {
  let sum = 0
  let count = 0
  for (let t = 0; t < values.length; t++) {
    if (mask[t] === 0) continue
    sum += values[t]!
    count++
  }
  return count === 0 ? 0 : sum / count
}
