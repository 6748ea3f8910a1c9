import { isJsonObject, numberText } from '@heddle/core-api/internal'

/** Tokens of a call over its models, from the usage in its summary. A model without a total counts its prompt and completion. Null where no model has any. */
export function totalTokens(usage: unknown): number | null {
  if (!isJsonObject(usage)) return null
  return Object.values(usage).reduce<number | null>((sum, counts) => plus(sum, isJsonObject(counts) ? tokensOf(counts) : null), null)
}

function tokensOf(counts: Record<string, unknown>): number | null {
  const total = readCount(counts.total_tokens)
  if (total !== null) return total
  const parts = [counts.prompt_tokens, counts.input_tokens, counts.completion_tokens, counts.output_tokens]
  return parts.map(readCount).reduce(plus, null)
}

/** The sum of what is known; null where nothing is. */
export function plus(sum: number | null, more: number | null): number | null {
  return more === null ? sum : (sum ?? 0) + more
}

function readCount(value: unknown): number | null {
  const text = numberText(value)
  return text === undefined || !Number.isFinite(Number(text)) ? null : Math.trunc(Number(text))
}

/** False where the column of tokens holds its limit, which stands for all beyond it. */
export function isExactCount(tokens: number | null): boolean {
  return tokens === null || Math.abs(tokens) < Number.MAX_SAFE_INTEGER
}
