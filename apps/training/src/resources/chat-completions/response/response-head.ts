import type { CompletionPlan } from '../request/plan-completion.ts'

/** What all parts of a response have in common. */
export interface ResponseHead {
  id: string
  /** Unix seconds. */
  created: number
  plan: CompletionPlan
}

export function toUsage({ prompt, completion }: { prompt: number; completion: number }) {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0 },
  }
}

/** The ids of the prompt, if they were requested. */
export function promptIds({ prompt, report }: CompletionPlan): { prompt_token_ids?: number[] } {
  return report.tokenIds ? { prompt_token_ids: [...prompt] } : {}
}
