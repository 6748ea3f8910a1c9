/** Token counts of one model in one call, under the names of the usage operations. */
export interface UsageCounts {
  requests: number
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  cache_read_input_tokens: number
  cache_creation_input_tokens: number
}

/** Own usage of a call by model, from the JSON text of its summary. Both spellings of a count add up; missing ones count as 0. */
export function usageOf(summary: string): Map<string, UsageCounts> {
  const own = new Map<string, UsageCounts>()
  if (!summary.includes('"usage"')) return own
  const { usage } = JSON.parse(summary) as { usage?: Record<string, Record<string, unknown> | null> | null }
  for (const [model, sent] of Object.entries(usage ?? {})) own.set(model, normalizedUsage(sent ?? {}))
  return own
}

function normalizedUsage(sent: Record<string, unknown>): UsageCounts {
  return {
    requests: count(sent.requests),
    prompt_tokens: count(sent.prompt_tokens) + count(sent.input_tokens),
    completion_tokens: count(sent.completion_tokens) + count(sent.output_tokens),
    total_tokens: count(sent.total_tokens),
    cache_read_input_tokens: count(sent.cache_read_input_tokens),
    cache_creation_input_tokens: count(sent.cache_creation_input_tokens),
  }
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
