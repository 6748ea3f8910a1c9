const ownTokens = ({ tokens }: { tokens: Int32Array }) => tokens.length

/** Cuts a list of sequences in order into parts of at most `tokens` tokens, each of at least one sequence. `sizeOf`: the tokens of one. */
export function microBatches<T extends { tokens: Int32Array }>(
  sequences: readonly T[],
  tokens: number,
  sizeOf: (sequence: T) => number = ownTokens,
): T[][] {
  const parts: T[][] = []
  let held = 0
  for (const sequence of sequences) {
    const size = sizeOf(sequence)
    const part = parts.at(-1)
    if (!part || held + size > tokens) {
      parts.push([sequence])
      held = size
    } else {
      part.push(sequence)
      held += size
    }
  }
  return parts
}
