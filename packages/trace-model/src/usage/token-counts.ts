/** Tokens of one use of a model. Input includes what was read from and written to a cache, output includes reasoning. */
export interface TokenCounts {
  input: number
  output: number
  /** Of the input, read from a cache. */
  cacheRead: number
  /** Of the input, written to a cache. */
  cacheWrite: number
  /** Of the output. */
  reasoning: number
  /** Input and output; where a call tells neither, the total that it tells. */
  total: number
}

const names = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning', 'total'] as const satisfies readonly (keyof TokenCounts)[]

export const noTokens: TokenCounts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 0 }

export function addCounts(one: TokenCounts, other: TokenCounts): TokenCounts {
  const sum = { ...one }
  for (const name of names) sum[name] += other[name]
  return sum
}

/** What is left of some counts; negative where more is taken away than was there. */
export function subtractCounts(from: TokenCounts, less: TokenCounts): TokenCounts {
  const left = { ...from }
  for (const name of names) left[name] -= less[name]
  return left
}

/** Whether something was used. */
export function isSome(counts: TokenCounts): boolean {
  return names.some((name) => counts[name] !== 0)
}

export function hasNegative(counts: TokenCounts): boolean {
  return names.some((name) => counts[name] < 0)
}
