import type { TokenCounts } from './token-counts.ts'

/** Prices of one token of each kind, all in one currency. */
export type TokenRates = Omit<Record<keyof TokenCounts, number>, 'total' | 'reportedCosts' | 'reportedNanos'>

/** The counts that are paid for. */
export type PaidCounts = Pick<TokenCounts, keyof TokenRates>

/** What counts cost by the side on which they were used. */
export interface CostParts {
  /** Input that is not read from or written to a cache. */
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

/** Multiplies counts by rates, each token once. The cost of a sum is the sum of the costs, where the parts of all counts are within their wholes. */
export function priceParts(counts: PaidCounts, rates: TokenRates): CostParts {
  const text = counts.input - counts.cacheRead - counts.cacheWrite - counts.inputAudio - counts.inputImage
  const said = counts.output - counts.outputAudio - counts.outputImage - counts.reasoning
  return {
    input: Math.max(text, 0) * rates.input + counts.inputAudio * rates.inputAudio + counts.inputImage * rates.inputImage,
    output:
      Math.max(said, 0) * rates.output +
      counts.outputAudio * rates.outputAudio +
      counts.outputImage * rates.outputImage +
      counts.reasoning * rates.reasoning,
    cacheRead:
      (counts.cacheRead - counts.cacheReadAudio - counts.cacheReadImage) * rates.cacheRead +
      counts.cacheReadAudio * rates.cacheReadAudio +
      counts.cacheReadImage * rates.cacheReadImage,
    cacheWrite: (counts.cacheWrite - counts.cacheWrite1h) * rates.cacheWrite + counts.cacheWrite1h * rates.cacheWrite1h,
  }
}

export function priceCounts(counts: PaidCounts, rates: TokenRates): number {
  const { input, output, cacheRead, cacheWrite } = priceParts(counts, rates)
  return input + output + cacheRead + cacheWrite
}
