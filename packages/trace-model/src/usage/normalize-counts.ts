import type { TokenCounts } from './token-counts.ts'

/** The counts that show whether they include each other. */
export type WholeCounts = Pick<TokenCounts, 'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'reasoning' | 'total'>

/** Counts as a client sent them; null where it gave no total. */
export type SentCounts = Omit<WholeCounts, 'total'> & { total: number | null }

/**
 * Makes input and output inclusive of cached and reasoning tokens. Counts are treated as exclusive only on certain evidence: more cached tokens than
 * input, more reasoning than output, or a total that is the sum with them added. The total is the sum of the parts, since a client's own may omit
 * some; it is used as sent if there are no parts.
 */
export function normalizeCounts({ input, output, cacheRead, cacheWrite, reasoning, total }: SentCounts): WholeCounts {
  const cached = cacheRead + cacheWrite
  const beyondParts = total === null ? 0 : total - input - output
  const excludesBoth = cached > 0 && reasoning > 0 && beyondParts === cached + reasoning
  const excludesCached = cached > input || (cached > 0 && beyondParts === cached) || excludesBoth
  const onlyReasoningFits = !excludesCached && reasoning > 0 && beyondParts === reasoning
  const excludesReasoning = reasoning > output || onlyReasoningFits || excludesBoth
  const allInput = input + (excludesCached ? cached : 0)
  const allOutput = output + (excludesReasoning ? reasoning : 0)
  const parts = allInput + allOutput
  return { input: allInput, output: allOutput, cacheRead, cacheWrite, reasoning, total: parts === 0 ? (total ?? 0) : parts }
}
