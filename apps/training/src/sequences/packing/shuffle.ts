/** A copy in an order that follows from the seed alone (Fisher and Yates; numbers by splitmix32). */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const result = [...items]
  let state = seed | 0
  for (let at = result.length - 1; at > 0; at--) {
    state = (state + 0x9e3779b9) | 0
    const other = mix(state) % (at + 1)
    ;[result[at], result[other]] = [result[other]!, result[at]!]
  }
  return result
}

function mix(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
