/** A sequence to be packed into a row. */
export interface PackableSequence {
  tokens: Int32Array
  /** 1 on sampled tokens. */
  mask: Uint8Array
  /** Sequences with the same group share their first `promptLength` tokens, which a row holds once. */
  group: number
  promptLength: number
}

export interface PackedRow<T extends PackableSequence> {
  sequences: T[]
  /** Tokens that it holds. */
  length: number
}

/**
 * Fills rows in order. A sequence that does not fit opens a new row, and brings its prompt along; none is longer than a row.
 * @throws RangeError for a sequence that is
 */
export function packRows<T extends PackableSequence>(sequences: Iterable<T>, rowLength: number): PackedRow<T>[] {
  const rows: PackedRow<T>[] = []
  let prompts = new Set<number>()
  for (const sequence of sequences) {
    const whole = sequence.tokens.length
    if (whole > rowLength) throw new RangeError(`a sequence of ${whole} tokens does not fit into a row of ${rowLength}`)
    let row = rows.at(-1)
    let added = prompts.has(sequence.group) ? whole - sequence.promptLength : whole
    if (!row || row.length + added > rowLength) {
      row = { sequences: [], length: 0 }
      rows.push(row)
      prompts = new Set()
      added = whole
    }
    row.sequences.push(sequence)
    row.length += added
    // A prompt without tokens is not in the row.
    if (sequence.promptLength > 0) prompts.add(sequence.group)
  }
  return rows
}

/** The number of sequences of a row: all in it, including shared prompts, minus the prompts that sequences belong to. */
export function countTrajectories(row: PackedRow<PackableSequence>): number {
  const groups = new Set(row.sequences.map(({ group }) => group))
  const prompts = new Set(row.sequences.filter(({ promptLength }) => promptLength > 0).map(({ group }) => group))
  return row.sequences.length + prompts.size - groups.size
}
