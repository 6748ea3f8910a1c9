import type { Engine, ForwardResult, ModelVersion, TokenSequence, TrainingSession } from '../engine/engine.ts'
import type { SequenceTokens } from '../objective/rl-loss.ts'
import { microBatches } from './micro-batches.ts'
import type { RlRow, RlSequence } from './rl/prepared-rl.ts'

/** Sequences of a row that are sent to the engine together. */
export interface RowPart {
  batch: TokenSequence[]
  sequences: FixedTokens[]
}

/** The data of a sequence that is known before its forward pass. */
type FixedTokens = Omit<SequenceTokens, 'now'>

/** A part after its forward pass. */
export interface ForwardPart {
  tokens: SequenceTokens[]
  /** Entropy of the policy at each sampled token, in nats, summed. */
  entropy: number
}

export interface FixedScoring {
  score: Engine['score']
  /** Set to recompute the old log-probabilities with these weights. */
  recomputeWith: ModelVersion | null
  /** Set to compare with these weights. */
  reference: ModelVersion | null
  tokensAtATime: number
  signal: AbortSignal
}

/** Splits a row into parts, and adds the log-probabilities of fixed weights for its tokens. */
export async function rowParts(row: RlRow, { score, recomputeWith, reference, tokensAtATime, signal }: FixedScoring): Promise<RowPart[]> {
  const parts: RowPart[] = []
  for (const sequences of microBatches(row.sequences, tokensAtATime)) {
    const batch = sequences.map(toTokenSequence)
    const recomputed = recomputeWith && (await score(recomputeWith, batch, signal))
    const compared = reference && (await score(reference, batch, signal))
    parts.push({ batch, sequences: sequences.map((sequence, at) => toFixedTokens(sequence, { recomputed, compared, at })) })
  }
  return parts
}

/** Log-probabilities of a part under the weights being trained. */
export async function forwardPart({ batch, sequences }: RowPart, session: TrainingSession, signal: AbortSignal): Promise<ForwardPart> {
  const { logProbabilities, entropies } = await session.forward(batch, signal)
  const tokens = sequences.map((fixed, at) => ({ ...fixed, now: logProbabilities[at]! }))
  return { tokens, entropy: sumSampled(sequences, entropies) }
}

function toTokenSequence({ tokens, mask }: RlSequence): TokenSequence {
  return { tokens, scored: mask }
}

function toFixedTokens(
  { mask, logProbabilities, advantage, weight }: RlSequence,
  { recomputed, compared, at }: { recomputed: ForwardResult | null; compared: ForwardResult | null; at: number },
): FixedTokens {
  return {
    mask,
    old: recomputed ? recomputed.logProbabilities[at]! : logProbabilities,
    original: recomputed ? logProbabilities : null,
    reference: compared && compared.logProbabilities[at]!,
    advantages: new Float64Array(mask.length).fill(advantage),
    weights: new Float64Array(mask.length).fill(weight),
  }
}

function sumSampled(sequences: readonly { mask: Uint8Array }[], values: readonly Float32Array[]): number {
  let sum = 0
  for (const [at, { mask }] of sequences.entries()) {
    for (let t = 0; t < mask.length; t++) if (mask[t] === 1) sum += values[at]![t]!
  }
  return sum
}
