/**
 * Tokens of one use of a model. Input includes tokens read from and written to a cache, output includes reasoning. No part is more than its whole.
 */
export interface TokenCounts {
  input: number
  output: number
  /** Part of the input, read from a cache. */
  cacheRead: number
  /** Part of the tokens read from a cache. */
  cacheReadAudio: number
  cacheReadImage: number
  /** Part of the input, written to a cache. */
  cacheWrite: number
  /** Part of the tokens written to a cache that is kept for an hour. */
  cacheWrite1h: number
  /** Part of the uncached input. */
  inputAudio: number
  inputImage: number
  /** Part of the output. */
  outputAudio: number
  outputImage: number
  /** Part of the output. */
  reasoning: number
  /** Input and output; if a call reports neither, its reported total. */
  total: number
  /** Uses that carry what they cost. */
  reportedCosts: number
  /** The reported costs of these, in billionths of a dollar. */
  reportedNanos: number
}

/** Counts of tokens that some models price separately, and other models like their whole. */
export const detailCounts = [
  'cacheReadAudio',
  'cacheReadImage',
  'cacheWrite1h',
  'inputAudio',
  'inputImage',
  'outputAudio',
  'outputImage',
  'reasoning',
] as const satisfies readonly (keyof TokenCounts)[]
export type DetailCounts = Pick<TokenCounts, (typeof detailCounts)[number]>

const tokens = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning', 'total'] as const satisfies readonly (keyof TokenCounts)[]
const names: readonly (keyof TokenCounts)[] = [...new Set([...tokens, ...detailCounts, 'reportedCosts', 'reportedNanos'] as const)]

export const noTokens: TokenCounts = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheReadAudio: 0,
  cacheReadImage: 0,
  cacheWrite: 0,
  cacheWrite1h: 0,
  inputAudio: 0,
  inputImage: 0,
  outputAudio: 0,
  outputImage: 0,
  reasoning: 0,
  total: 0,
  reportedCosts: 0,
  reportedNanos: 0,
}

/** Members by name, not in a loop: each settled trace adds up several for each of its calls. */
export function addCounts(one: TokenCounts, other: TokenCounts): TokenCounts {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheReadAudio: one.cacheReadAudio + other.cacheReadAudio,
    cacheReadImage: one.cacheReadImage + other.cacheReadImage,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    cacheWrite1h: one.cacheWrite1h + other.cacheWrite1h,
    inputAudio: one.inputAudio + other.inputAudio,
    inputImage: one.inputImage + other.inputImage,
    outputAudio: one.outputAudio + other.outputAudio,
    outputImage: one.outputImage + other.outputImage,
    reasoning: one.reasoning + other.reasoning,
    total: one.total + other.total,
    reportedCosts: one.reportedCosts + other.reportedCosts,
    reportedNanos: one.reportedNanos + other.reportedNanos,
  }
}

/** The difference of some counts; tokens are negative if more is subtracted than there was, costs are then 0. */
export function subtractCounts(from: TokenCounts, less: TokenCounts): TokenCounts {
  const left = { ...from }
  for (const name of names) left[name] -= less[name]
  left.reportedCosts = Math.max(0, left.reportedCosts)
  left.reportedNanos = Math.max(0, left.reportedNanos)
  return left
}

/** The counts with parts that are within their whole: a price is then a sum over the parts, and that of a sum is the sum of the prices. */
export function fitParts(counts: TokenCounts): TokenCounts {
  const within = (part: number, whole: number) => Math.max(0, Math.min(part, whole))
  const cacheRead = within(counts.cacheRead, counts.input)
  const cacheReadAudio = within(counts.cacheReadAudio, cacheRead)
  const cacheWrite = within(counts.cacheWrite, counts.input - cacheRead)
  const fresh = counts.input - cacheRead - cacheWrite
  const inputAudio = within(counts.inputAudio, fresh)
  const outputAudio = within(counts.outputAudio, counts.output)
  const outputImage = within(counts.outputImage, counts.output - outputAudio)
  return {
    ...counts,
    cacheRead,
    cacheReadAudio,
    cacheReadImage: within(counts.cacheReadImage, cacheRead - cacheReadAudio),
    cacheWrite,
    cacheWrite1h: within(counts.cacheWrite1h, cacheWrite),
    inputAudio,
    inputImage: within(counts.inputImage, fresh - inputAudio),
    outputAudio,
    outputImage,
    reasoning: within(counts.reasoning, counts.output - outputAudio - outputImage),
  }
}

/**
 * Whether prices of tokens determine the cost of some usage: they apply to input and output. They cannot price a total alone, or a cost without
 * tokens; no tokens at all cost 0.
 */
export function isPriceable({
  input,
  output,
  total,
  reportedCosts,
}: Pick<TokenCounts, 'input' | 'output' | 'total' | 'reportedCosts'>): boolean {
  return input + output > 0 || (total === 0 && reportedCosts === 0)
}

/** Whether tokens were used. */
export function hasTokens(counts: TokenCounts): boolean {
  return tokens.some((name) => counts[name] !== 0)
}

/** Whether something was used, or cost something. */
export function isSome(counts: TokenCounts): boolean {
  return names.some((name) => counts[name] !== 0)
}

export function hasNegative(counts: TokenCounts): boolean {
  return tokens.some((name) => counts[name] < 0)
}
