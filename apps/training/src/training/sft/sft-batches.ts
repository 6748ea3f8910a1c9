import { inParts } from '@heddle/datastore'
import { shareOfStep } from '../../objective/learning-rate.ts'
import type { LabelledSequence } from '../../sequences/fine-tuning/sft-example.ts'
import { countOnes } from '../../sequences/mask.ts'
import { microBatches } from '../micro-batches.ts'
import type { SftSettings } from './sft-config.ts'

/** What is learned from a line: a conversation, or the chosen one of a preference pair with the rejected one. */
export interface SftExample extends LabelledSequence {
  rejected?: LabelledSequence
}

/** Tokens that an example takes in a batch: both sequences of a pair go together. */
export const exampleTokens = ({ tokens, rejected }: SftExample): number => tokens.length + (rejected?.tokens.length ?? 0)

/** Examples of one gradient step. */
export interface SftBatch {
  sequences: SftExample[]
  learningRate: number
  /** Share of a step, above 0 to 1: how much of its learning rate is used. */
  share: number
  /** The pass over the data that it belongs to, from 1. */
  epoch: number
  isLastOfEpoch: boolean
}

type Sizes = Pick<SftSettings, 'batchSize' | 'packedLength'>

/** Cuts examples in order into batches of so many, or of so many tokens. Places without an example count, but are left out. */
export function toBatches(examples: readonly (SftExample | null)[], { batchSize, packedLength }: Sizes): SftExample[][] {
  const isThere = (example: SftExample | null) => example !== null
  if (packedLength !== null) return microBatches(examples.filter(isThere), packedLength, exampleTokens)
  const batches: SftExample[][] = []
  for (const some of inParts(examples, batchSize)) batches.push(some.filter(isThere))
  return batches
}

/**
 * Share of a step, for each batch. One with fewer examples than the rest, such as the last one, counts by what its loss is a mean of: labelled tokens,
 * or preference pairs.
 */
export function sharesOfBatches(batches: readonly SftExample[][], { batchSize, packedLength }: Sizes): number[] {
  const terms = batches.map((batch) => batch.reduce((sum, { labels, rejected }) => sum + (rejected ? 1 : countOnes(labels)), 0))
  const isFull = (at: number) => (packedLength === null ? batches[at]!.length === batchSize : at < batches.length - 1)
  const full = terms.filter((_, at) => isFull(at))
  return terms.map((count, at) => (isFull(at) ? 1 : shareOfStep(count, full)))
}

/** How many of so many examples are held out: at least one, and at least one is learned. */
export function countHeldOut(examples: number, share: number): number {
  return share === 0 || examples < 2 ? 0 : Math.min(Math.max(1, Math.round(share * examples)), examples - 1)
}

/** Parts the examples that are held out from those that are learned, spread evenly over their order. */
export function holdOut(examples: readonly SftExample[], share: number): { learned: SftExample[]; heldOut: SftExample[] } {
  const count = countHeldOut(examples.length, share)
  const places = new Set(Array.from({ length: count }, (_, at) => Math.floor(((at + 0.5) * examples.length) / count)))
  return { learned: examples.filter((_, at) => !places.has(at)), heldOut: examples.filter((_, at) => places.has(at)) }
}
