import type { ChatChoice, ChatMessage } from '../trajectory.ts'

/** A choice as a chat completion with token ids returns it. */
export function aChoice({
  tokens,
  logprobs = tokens.map(() => -0.5),
  prompt,
  content = 'sampled',
}: {
  tokens: readonly number[]
  logprobs?: readonly number[] | null
  prompt?: readonly number[]
  content?: string
}): ChatChoice {
  return {
    message: { content },
    logprobs: logprobs && { content: logprobs.map((logprob, at) => ({ token: `token_id:${tokens[at]}`, logprob })) },
    ...(prompt ? { token_ids: tokens, prompt_token_ids: prompt } : {}),
  }
}

export const aMessage = (role: string, content: string): ChatMessage => ({ role, content })
