import type { TrainingJob } from '@heddle/core-api/types'

/** What a prompt token of a model costs from a time on. */
export interface TokenPrice {
  llm_id: string | null
  effective_date: string | null
  prompt_token_cost: number | null
}

/** The cost of the tokens that a job learned from, at the price of its base model when it started. Undefined without a price or tokens. */
export function costOfJob(
  { trainable_tokens: tokens, training_start, created_at }: Pick<TrainingJob, 'trainable_tokens' | 'training_start' | 'created_at'>,
  base: string | undefined,
  prices: readonly TokenPrice[],
): number | undefined {
  const startedMs = Date.parse(training_start ?? created_at)
  const price = prices.find(
    ({ llm_id, effective_date }) => llm_id === base && Date.parse(effective_date ?? '') <= startedMs,
  )?.prompt_token_cost
  return price == null || tokens === null ? undefined : price * tokens
}
