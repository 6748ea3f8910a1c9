/** Cuts a list of sequences in order into parts of at most `tokens` tokens, each of at least one sequence. */
export function microBatches<T extends { tokens: Int32Array }>(sequences: readonly T[], tokens: number): T[][] {
  const parts: T[][] = []
  let held = 0
  for (const sequence of sequences) {
    const part = parts.at(-1)
    if (!part || held + sequence.tokens.length > tokens) {
      parts.push([sequence])
      held = sequence.tokens.length
    } else {
      part.push(sequence)
      held += sequence.tokens.length
    }
  }
  return parts
}
