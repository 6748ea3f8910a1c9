import type { SampledToken } from './read-trajectory.ts'

/** How likely a token was, from nearly certain to hardly possible. */
const likelihoods = ['certain', 'likely', 'open', 'unlikely', 'rare', 'unknown'] as const
export type Likelihood = (typeof likelihoods)[number]

export function likelihoodOf({ logprob }: SampledToken): Likelihood {
  if (logprob === null || logprob < -1_000) return 'unknown'
  const probability = Math.exp(logprob)
  if (probability >= 0.9) return 'certain'
  if (probability >= 0.5) return 'likely'
  if (probability >= 0.1) return 'open'
  return probability >= 0.01 ? 'unlikely' : 'rare'
}

/** The probability as a percentage, for the title of a token. */
export function probabilityText({ logprob }: SampledToken): string {
  if (logprob === null || logprob < -1_000) return 'log-probability not computed'
  return `${Number((Math.exp(logprob) * 100).toPrecision(3))}%, log-probability ${Number(logprob.toPrecision(4))}`
}

/** The mean of the log-probabilities and the least likely token; undefined where none is known. */
export function summarise(tokens: readonly SampledToken[]): { mean: number; least: SampledToken } | undefined {
  const known = tokens.filter((token) => likelihoodOf(token) !== 'unknown')
  const [first] = known
  if (!first) return undefined
  const mean = known.reduce((sum, { logprob }) => sum + (logprob ?? 0), 0) / known.length
  return { mean, least: known.reduce((least, token) => ((token.logprob ?? 0) < (least.logprob ?? 0) ? token : least), first) }
}
