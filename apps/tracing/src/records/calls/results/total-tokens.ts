import { isJsonObject, numberText } from '@heddle/core-api/internal'

/** Tokens of a call over its models, from the usage in its summary. A model without a total counts its prompt and completion, under whichever names. Null where no model has any. */
export function totalTokens(usage: unknown): number | null {
  if (!isJsonObject(usage)) return null
  return Object.values(usage).reduce<number | null>((sum, counts) => plus(sum, isJsonObject(counts) ? tokensOf(counts) : null), null)
}

function tokensOf(counts: Record<string, unknown>): number | null {
  const total = readCount(counts.total_tokens)
  if (total !== null) return total
  return plus(eitherOf(counts.prompt_tokens, counts.input_tokens), eitherOf(counts.completion_tokens, counts.output_tokens))
}

/** Two names of one count, of which a call may have both. */
function eitherOf(one: unknown, other: unknown): number | null {
  const known = [one, other].map(readCount).filter((count) => count !== null)
  return known.length === 0 ? null : Math.max(...known)
}

/** The sum of the known values; null if there are none. */
function plus(sum: number | null, more: number | null): number | null {
  return more === null ? sum : (sum ?? 0) + more
}

function readCount(value: unknown): number | null {
  const text = numberText(value)
  return text === undefined || !Number.isFinite(Number(text)) ? null : Math.trunc(Number(text))
}

/** False if the column of tokens has its limit, which represents all larger values. */
export function isExactCount(tokens: number | null): boolean {
  return tokens === null || Math.abs(tokens) < Number.MAX_SAFE_INTEGER
}
