import type { TokenSequence } from '../../engine.ts'

/** Sequences one after the other, without padding. Each row is a token that predicts the next. */
export interface PackedRows {
  sequences: readonly { start: number; length: number }[]
  tokens: Int32Array
  /** Rows whose prediction is scored, ascending. */
  scoredRows: Int32Array
  /** The token that follows each scored row. */
  targets: Int32Array
}

/** Rows that a sequence needs: up to the last token that is scored, which itself takes none. */
export function countRows({ scored }: TokenSequence): number {
  return Math.max(
    0,
    scored.findLastIndex((isScored) => isScored !== 0),
  )
}

export function packRows(batch: readonly TokenSequence[]): PackedRows {
  const rows = batch.reduce((sum, sequence) => sum + countRows(sequence), 0)
  const tokens = new Int32Array(rows)
  const scoredRows: number[] = []
  const targets: number[] = []
  let start = 0
  const sequences = batch.map((sequence) => {
    const length = countRows(sequence)
    tokens.set(sequence.tokens.subarray(0, length), start)
    for (let i = 1; i <= length; i++) {
      if (!sequence.scored[i]) continue
      scoredRows.push(start + i - 1)
      targets.push(sequence.tokens[i]!)
    }
    start += length
    return { start: start - length, length }
  })
  return { sequences, tokens, scoredRows: Int32Array.from(scoredRows), targets: Int32Array.from(targets) }
}

/** Spreads values of the scored rows over the tokens of the sequences; 0 elsewhere. */
export function spread(batch: readonly TokenSequence[], values: Float32Array): Float32Array[] {
  let next = 0
  return batch.map(({ scored }) => Float32Array.from(scored, (isScored, i) => (isScored && i > 0 ? values[next++]! : 0)))
}

/** The values of the scored tokens, in order of the scored rows. */
export function collect(batch: readonly TokenSequence[], values: readonly Float32Array[]): Float32Array {
  const collected = new Float32Array(batch.reduce((sum, { tokens }) => sum + tokens.length, 0))
  let count = 0
  for (const [sequence, { scored }] of batch.entries()) {
    for (let i = 1; i < scored.length; i++) if (scored[i]) collected[count++] = values[sequence]![i]!
  }
  return collected.subarray(0, count)
}

/** Splits a batch, in order, into parts of at most `maxRows` rows; a longer sequence is a separate part. Depends only on the batch. */
export function cutBatch(batch: readonly TokenSequence[], maxRows: number): TokenSequence[][] {
  const parts: TokenSequence[][] = []
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
