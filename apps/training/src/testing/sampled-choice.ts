/** A choice as a chat completion of the table model returns it, with one sampled token for each letter. */
export function aChoice(text: string, { prompt = 'go', logprob = -2 }: { prompt?: string; logprob?: number | null } = {}) {
  const tokens = [...Buffer.from(text)]
  const content = tokens.map((token) => ({ token: `token_id:${token}`, logprob, bytes: [token], top_logprobs: [] }))
  return {
    finish_reason: 'stop',
    index: 0,
    message: { role: 'assistant', content: text },
    logprobs: logprob === null ? null : { content, refusal: null },
    token_ids: tokens,
    prompt_token_ids: [...Buffer.from(prompt)],
  }
}

/** A trajectory of one turn. */
export function aTrajectory(text: string, reward: number, options?: Parameters<typeof aChoice>[1]) {
  return { messages_and_choices: [{ role: 'user', content: 'go' }, aChoice(text, options)], reward }
}

/** A group in which the first text is better than the others. */
export const aGroup = (...texts: string[]) => ({ trajectories: texts.map((text, index) => aTrajectory(text, index === 0 ? 1 : 0)) })
