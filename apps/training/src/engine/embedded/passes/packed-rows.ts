import type { TrainedSequence } from '../../engine.ts'

/** Sequences one after the other, without padding. Each row is a token that predicts the next. */
export interface PackedRows {
  sequences: readonly { start: number; length: number }[]
  tokens: Int32Array
  /** Rows whose prediction is scored, ascending; a row with several targets is there for each. */
  scoredRows: Int32Array
  /** The token whose log-probability each scored row gives: usually the one that follows it. */
  targets: Int32Array
}

/** Rows that a sequence needs: up to the last token that is scored, which itself takes none. */
export function countRows({ scored, targets }: TrainedSequence): number {
  const last = targets ? (targets.positions.at(-1) ?? 0) : scored.findLastIndex((isScored) => isScored !== 0)
  return Math.max(0, last)
}

/** How many values a sequence has in results, and coefficients. */
export const countValues = ({ tokens, targets }: TrainedSequence): number => (targets ?? { tokens }).tokens.length

export function packRows(batch: readonly TrainedSequence[]): PackedRows {
  const rows = batch.reduce((sum, sequence) => sum + countRows(sequence), 0)
  const tokens = new Int32Array(rows)
  const scoredRows: number[] = []
  const targets: number[] = []
  let start = 0
  const sequences = batch.map((sequence) => {
    const length = countRows(sequence)
    tokens.set(sequence.tokens.subarray(0, length), start)
    for (let i = 1; !sequence.targets && i <= length; i++) {
      if (!sequence.scored[i]) continue
      scoredRows.push(start + i - 1)
      targets.push(sequence.tokens[i]!)
    }
    for (const [i, position] of sequence.targets?.positions.entries() ?? []) {
      scoredRows.push(start + position - 1)
      targets.push(sequence.targets!.tokens[i]!)
    }
    start += length
    return { start: start - length, length }
  })
  return { sequences, tokens, scoredRows: Int32Array.from(scoredRows), targets: Int32Array.from(targets) }
}

/** Spreads values of the scored rows over the targets or tokens of the sequences; 0 elsewhere. */
export function scatterValues(batch: readonly TrainedSequence[], values: Float32Array): Float32Array[] {
  let next = 0
  return batch.map(({ scored, targets }) => {
    if (!targets) return Float32Array.from(scored, (isScored, i) => (isScored && i > 0 ? values[next++]! : 0))
    next += targets.tokens.length
    return values.slice(next - targets.tokens.length, next)
  })
}

/** The values of the targets or scored tokens, in order of the scored rows. */
export function gatherValues(batch: readonly TrainedSequence[], values: readonly Float32Array[]): Float32Array {
  const collected = new Float32Array(batch.reduce((sum, sequence) => sum + countValues(sequence), 0))
  let count = 0
  for (const [sequence, { scored, targets }] of batch.entries()) {
    for (let i = targets ? 0 : 1; i < values[sequence]!.length; i++) if (targets || scored[i]) collected[count++] = values[sequence]![i]!
  }
  return collected.subarray(0, count)
}

/** Splits a batch, in order, into parts of at most `maxRows` rows; a longer sequence is a separate part. Depends only on the batch. */
export function cutBatch<Sequence extends TrainedSequence>(batch: readonly Sequence[], maxRows: number): Sequence[][] {
  const parts: Sequence[][] = []
  let rows = Number.POSITIVE_INFINITY
  for (const sequence of batch) {
    const own = countRows(sequence)
    if (rows + own > maxRows) {
      parts.push([])
      rows = 0
    }
    parts.at(-1)!.push(sequence)
    rows += own
  }
  return parts
}
