import { EngineError, type SampledToken, type SamplingSettings } from '../../engine.ts'
import { listTop } from '../list-top.ts'

/** How often each token is in the prompt or the completion so far. */
export interface TokenCounts {
  prompt: ReadonlySet<number>
  completion: ReadonlyMap<number, number>
  /** Tokens of the completion. */
  length: number
}

export interface ChoiceInput {
  logits: Float32Array
  settings: SamplingSettings
  counts: TokenCounts
  /** 1 for each token that may follow; null for all. At least one may. */
  allowed: Uint8Array | null
  /** Uniform in [0, 1). */
  uniform: number
}

type Choice = Pick<SampledToken, 'token' | 'logProbability' | 'top'>

/**
 * Samples one token: constraint, bias, penalties and the least length first, then temperature, top k, top p and min p. The log-probability is that of the distribution
 * after all of these; at temperature 0, which always takes the likeliest, of the one at temperature 1. @throws EngineError `damaged` for logits that are not finite
 */
export function chooseToken(choosing: ChoiceInput): Choice {
  const { settings, uniform } = choosing
  const weights = toScores(choosing)
  toWeights(weights, settings.temperature || 1)
  const isCut = settings.temperature > 0 && (settings.topK > 0 || settings.topP < 1 || settings.minP > 0)
  if (isCut) cut(weights, settings)
  const sum = sumOf(weights)
  if (!Number.isFinite(sum)) throw new EngineError('damaged', 'the model computes numbers that are not finite; its weights are of no use')
  const token = settings.temperature > 0 ? pick(weights, uniform * sum) : indexOfMaximum(weights)
  const logOf = (id: number) => Math.log(weights[id]! / sum)
  const top = listTop(weights, settings.topLogProbabilities).map((id) => ({ token: id, logProbability: logOf(id) }))
  return { token, logProbability: logOf(token), top }
}

function toScores({ logits, settings, counts, allowed }: ChoiceInput): Float64Array {
  const scores = new Float64Array(logits)
  penalise(scores, settings, counts)
  for (const [token, bias] of settings.logitBias) if (token >= 0 && token < scores.length) scores[token]! += bias
  if (allowed) for (let id = 0; id < scores.length; id++) if (allowed[id] !== 1) scores[id] = Number.NEGATIVE_INFINITY
  if (counts.length < settings.minTokens) forbidStops(scores, settings.stopTokens)
  return scores
}

/** The repetition penalty of Keskar et al. 2019, and the two additive ones of common interfaces, which count the completion alone. */
function penalise(scores: Float64Array, settings: SamplingSettings, { prompt, completion }: TokenCounts): void {
  const { repetitionPenalty, frequencyPenalty, presencePenalty } = settings
  if (repetitionPenalty !== 1) {
    for (const id of new Set([...prompt, ...completion.keys()])) {
      const score = scores[id]
      if (score !== undefined) scores[id] = score > 0 ? score / repetitionPenalty : score * repetitionPenalty
    }
  }
  if (frequencyPenalty === 0 && presencePenalty === 0) return
  for (const [id, count] of completion) scores[id]! -= frequencyPenalty * count + presencePenalty
}

/** A stop token remains possible if the constraint allows nothing else. */
function forbidStops(scores: Float64Array, stopTokens: readonly number[]): void {
  const stops = new Set(stopTokens)
  const hasOther = scores.some((score, id) => score > Number.NEGATIVE_INFINITY && !stops.has(id))
  if (hasOther) for (const id of stops) if (id >= 0 && id < scores.length) scores[id] = Number.NEGATIVE_INFINITY
}

/** Turns scores into probabilities that are not divided by their sum; the greatest is 1. */
function toWeights(scores: Float64Array, temperature: number): void {
  const top = scores[indexOfMaximum(scores)]!
  for (let id = 0; id < scores.length; id++) scores[id] = Math.exp((scores[id]! - top) / temperature)
}

function sumOf(weights: Float64Array): number {
  let sum = 0
  for (let id = 0; id < weights.length; id++) sum += weights[id]!
  return sum
}

/** Sets to 0 what top k, then top p, then min p leave out. */
function cut(weights: Float64Array, settings: SamplingSettings): void {
  for (const least of leastWeights) {
    const kept = keptAbove(weights, least, settings)
    if (kept === null) continue
    for (let id = 0; id < weights.length; id++) if (!kept.has(id)) weights[id] = 0
    return
  }
}

/**
 * Only tokens of so much weight, where the greatest is 1, are ordered; and those of less only if not all that is kept is above. To order a vocabulary of
 * 50,000 takes as long as a small model itself.
 */
const leastWeights = [1e-3, 1e-6, 0]

/** The tokens that are kept. Null where some of them may weigh less than `least`. */
function keptAbove(weights: Float64Array, least: number, { topK, topP, minP }: SamplingSettings): Set<number> | null {
  const ordered: number[] = []
  for (let id = 0; id < weights.length; id++) if (weights[id]! >= least) ordered.push(id)
  ordered.sort((a, b) => weights[b]! - weights[a]! || a - b)
  const few = topK > 0 ? ordered.slice(0, topK) : ordered
  const isComplete = ordered.length === weights.length || (topK > 0 && ordered.length >= topK)
  if (topK > 0 && !isComplete) return null
  const total = topK > 0 ? few.reduce((sum, id) => sum + weights[id]!, 0) : sumOf(weights)
  const kept = new Set<number>()
  let mass = 0
  for (const id of few) {
    if (kept.size > 0 && (mass >= topP * total || weights[id]! < minP)) return kept
    kept.add(id)
    mass += weights[id]!
  }
  return isComplete ? kept : null
}

function pick(weights: Float64Array, target: number): number {
  let sum = 0
  let last = 0
  for (let id = 0; id < weights.length; id++) {
    const weight = weights[id]!
    if (weight === 0) continue
    sum += weight
    last = id
    if (sum > target) return id
  }
  return last
}

function indexOfMaximum(values: Float64Array): number {
  let best = 0
  for (let id = 1; id < values.length; id++) if (values[id]! > values[best]!) best = id
  return best
}
