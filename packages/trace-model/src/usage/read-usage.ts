import { memberOf, numberText } from '@heddle/core-api/internal'
import { addCounts, noTokens, type TokenCounts } from './token-counts.ts'
import { normalizeCounts } from './normalize-counts.ts'

/** What was used of one model. */
export interface ModelCounts {
  model: string
  counts: TokenCounts
}

/** Two names of one count: clients that send both mean the same tokens. */
const inputNames = ['prompt_tokens', 'input_tokens'] as const
const outputNames = ['completion_tokens', 'output_tokens'] as const

/** What the summary of a call says that it used, by model and normalized, in its order. Models without a count are left out. */
export function readUsage(summary: unknown): ModelCounts[] {
  const usage = memberOf(summary, 'usage')
  if (typeof usage !== 'object' || usage === null) return []
  return Object.entries(usage).flatMap(([model, entry]) => {
    const counts = readCounts(entry)
    return counts === undefined ? [] : [{ model, counts }]
  })
}

/** Tokens over all models; null where there are none to tell of. */
export function tokensOf(usage: readonly ModelCounts[]): number | null {
  return usage.length === 0 ? null : usage.reduce((sum, { counts }) => addCounts(sum, counts), noTokens).total
}

function readCounts(entry: unknown): TokenCounts | undefined {
  const input = largestOf(entry, inputNames)
  const output = largestOf(entry, outputNames)
  const total = countAt(entry, 'total_tokens')
  const cacheRead = countAt(entry, 'cache_read_input_tokens') ?? 0
  const cacheWrite = countAt(entry, 'cache_creation_input_tokens') ?? 0
  const reasoning = countAt(entry, 'reasoning_tokens') ?? 0
  if (input === undefined && output === undefined && total === undefined && cacheRead + cacheWrite + reasoning === 0) return undefined
  const apart = isSeparate(entry) ? cacheRead + cacheWrite : 0
  return normalizeCounts({ input: (input ?? 0) + apart, output: output ?? 0, cacheRead, cacheWrite, reasoning, total: total ?? null })
}

/**
 * Whether counts are those of a provider whose input excludes cached tokens by definition: its usage has these names, and no total. Spans, whose
 * conventions have inclusive counts under the same names, are stored with a total.
 */
function isSeparate(entry: unknown): boolean {
  return (
    countAt(entry, 'input_tokens') !== undefined &&
    countAt(entry, 'prompt_tokens') === undefined &&
    countAt(entry, 'total_tokens') === undefined
  )
}

function largestOf(entry: unknown, names: readonly string[]): number | undefined {
  const counts = names.map((name) => countAt(entry, name)).filter((count) => count !== undefined)
  return counts.length === 0 ? undefined : Math.max(...counts)
}

/** Fractions are cut off; values that are not numbers count nothing. */
function countAt(entry: unknown, name: string): number | undefined {
  const text = numberText(memberOf(entry, name))
  const count = text === undefined ? Number.NaN : Math.trunc(Number(text))
  return Number.isFinite(count) ? count : undefined
}
