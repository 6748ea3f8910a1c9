/** Number of sampled tokens of a trajectory: ids if it has any, else log-probabilities. For a malformed trajectory, as many as are found. */
export function countTokens(trajectory: unknown): number {
  const histories = [trajectory, ...listAt(trajectory, 'additional_histories')]
  return histories
    .flatMap((history) => listAt(history, 'messages_and_choices'))
    .reduce<number>((sum, element) => sum + tokensOf(element), 0)
}

function tokensOf(choice: unknown): number {
  const ids = listAt(choice, 'token_ids').length
  const prompt = listAt(choice, 'prompt_token_ids').length
  const logprobs = valueAt(choice, 'logprobs')
  return Math.max(ids, listAt(logprobs, 'content').length, listAt(logprobs, 'refusal').length) + prompt
}

function valueAt(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

function listAt(value: unknown, key: string): readonly unknown[] {
  const list = valueAt(value, key)
  return Array.isArray(list) ? list : []
}
