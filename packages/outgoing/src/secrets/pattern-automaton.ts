/** An automaton that finds all of many patterns in one pass, by Aho and Corasick: "Efficient string matching" (1975). */
export interface PatternAutomaton {
  /** The state after a byte. 0 is the first state. */
  next(state: number, byte: number): number
  /** Bytes at the end of the input that may begin a pattern. */
  depth(state: number): number
  /** Length of the longest pattern that ends here; 0 for none. */
  matched(state: number): number
}

export function createPatternAutomaton(patterns: readonly Uint8Array[]): PatternAutomaton {
  const classes = new Uint16Array(256)
  let width = 1
  for (const pattern of patterns) for (const byte of pattern) if (classes[byte] === 0) classes[byte] = width++
  const most = 1 + patterns.reduce((sum, { length }) => sum + length, 0)
  const table = new Int32Array(most * width)
  const depths = new Int32Array(most)
  const matches = new Int32Array(most)
  const at = (list: { readonly [index: number]: number | undefined }, index: number) => list[index] ?? 0
  let states = 1
  for (const pattern of patterns) {
    let state = 0
    for (const byte of pattern) {
      const edge = state * width + at(classes, byte)
      if (at(table, edge) === 0) {
        depths[states] = at(depths, state) + 1
        table[edge] = states++
      }
      state = at(table, edge)
    }
    matches[state] = pattern.length
  }
  completeEdges({ table, matches, width, states })
  return {
    next: (state, byte) => at(table, state * width + at(classes, byte)),
    depth: (state) => at(depths, state),
    matched: (state) => at(matches, state),
  }
}

interface Edges {
  table: Int32Array
  matches: Int32Array
  /** Edges of a state. */
  width: number
  states: number
}

/** Gives each state its missing edges from its longest suffix, level by level. */
function completeEdges({ table, matches, width, states }: Edges): void {
  const suffixes = new Int32Array(states)
  const order: number[] = [0]
  for (const state of order) {
    const suffix = suffixes[state] ?? 0
    if ((matches[state] ?? 0) === 0) matches[state] = matches[suffix] ?? 0
    for (let edge = 1; edge < width; edge++) {
      const target = table[state * width + edge] ?? 0
      const fallback = state === 0 ? 0 : (table[suffix * width + edge] ?? 0)
      if (target === 0) table[state * width + edge] = fallback
      else {
        suffixes[target] = fallback
        order.push(target)
      }
    }
  }
}
