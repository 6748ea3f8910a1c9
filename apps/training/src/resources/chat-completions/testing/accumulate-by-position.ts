import type { ChatCompletionChunk } from '@heddle/core-api/types'

interface AccumulatedChoice {
  message: { content: string; tool_calls: { id?: string | null; name: string; arguments: string }[] }
  logprobs: { content: { token: string; logprob: number }[] } | null
  token_ids: number[]
  finish_reason: string
}

/**
 * Rebuilds a completion as the rollout clients do: its choices are those of the first chunk, later ones are paired with them by position and not by
 * `index`, a name replaces the one before, and what came last of reason and usage counts.
 */
export function accumulateByPosition(chunks: readonly ChatCompletionChunk[]) {
  const choices: AccumulatedChoice[] = chunks[0]!.choices.map(() => ({
    message: { content: '', tool_calls: [] },
    logprobs: null,
    token_ids: [],
    finish_reason: 'stop',
  }))
  for (const chunk of chunks) chunk.choices.forEach((part, position) => addPart(choices[position]!, part))
  return { choices, usage: chunks.at(-1)!.usage }
}

function addPart(choice: AccumulatedChoice, { delta, logprobs, finish_reason, token_ids }: ChatCompletionChunk['choices'][number]): void {
  choice.message.content += delta.content ?? ''
  for (const { index, id, function: called } of delta.tool_calls ?? []) {
    const call = (choice.message.tool_calls[index] ??= { name: '', arguments: '' })
    if (id) call.id = id
    if (called.name) call.name = called.name
    call.arguments += called.arguments ?? ''
  }
  if (logprobs) choice.logprobs = { content: [...(choice.logprobs?.content ?? []), ...(logprobs.content ?? [])] }
  choice.token_ids.push(...(token_ids ?? []))
  if (finish_reason) choice.finish_reason = finish_reason
}
