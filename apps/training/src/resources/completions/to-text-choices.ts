import type { ChatCompletion, CompletionRequest, TextCompletion } from '@heddle/core-api/types'
import type { BegunCompletion } from '../chat-completions/begin-completion.ts'
import type { CompletionPrompt } from './to-chat-request.ts'

type TextChoice = TextCompletion['choices'][number]
export type TextLogprobs = NonNullable<TextChoice['logprobs']>
type Choice = ChatCompletion['choices'][number]
export type Entry = NonNullable<NonNullable<Choice['logprobs']>['content']>[number]
export type Usage = NonNullable<TextCompletion['usage']>

export const noUsage: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

export const addUsage = (sum: Usage, more: Usage): Usage => ({
  prompt_tokens: sum.prompt_tokens + more.prompt_tokens,
  completion_tokens: sum.completion_tokens + more.completion_tokens,
  total_tokens: sum.total_tokens + more.total_tokens,
})

export interface CompletedPrompt {
  request: CompletionRequest
  prompt: CompletionPrompt
  begun: Pick<BegunCompletion, 'promptText' | 'promptEntries'>
}

/** The completions of one prompt. */
export function toTextChoices(choices: ChatCompletion['choices'], completed: CompletedPrompt): TextChoice[] {
  const echoed = echoOf(completed)
  return choices.map(({ index, message, logprobs, finish_reason }) => ({
    index,
    text: echoed.text + (message.content ?? ''),
    logprobs: completed.request.logprobs === null ? null : toTextLogprobs([...echoed.entries, ...(logprobs?.content ?? [])], echoed.start),
    finish_reason: finish_reason === 'length' ? 'length' : 'stop',
  }))
}

export interface Echo {
  text: string
  entries: readonly (Entry | FirstPromptToken)[]
  /** Where its first token begins: before the text if that has no place for it. */
  start: number
}

/** The first token of a prompt, which nothing predicts. */
export interface FirstPromptToken {
  token: string
  logprob: null
}

/** What the request wants before a completion. */
export function echoOf({ request, prompt, begun }: CompletedPrompt): Echo {
  if (!request.echo) return { text: '', entries: [], start: 0 }
  const decoded = begun.promptText()
  const text = typeof prompt === 'string' ? prompt : decoded
  // Special tokens that were added to a text are not part of it.
  return { text, entries: begun.promptEntries() ?? [], start: Math.min(0, text.length - decoded.length) }
}

/** `start`: where the first token begins. Tokens before the text begin with it. */
export function toTextLogprobs(entries: readonly (Entry | FirstPromptToken)[], start: number): TextLogprobs {
  const logprobs: TextLogprobs = { tokens: [], token_logprobs: [], top_logprobs: [], text_offset: [] }
  let offset = start
  for (const entry of entries) {
    logprobs.tokens.push(entry.token)
    logprobs.token_logprobs.push(entry.logprob)
    logprobs.top_logprobs.push(entry.logprob === null ? null : alternativesOf(entry))
    logprobs.text_offset.push(Math.max(0, offset))
    offset += entry.token.length
  }
  return logprobs
}

/** By their texts: of tokens that share one, the likeliest. The token itself is among them however unlikely it is. */
function alternativesOf({ token: own, logprob: ownLogprob, top_logprobs }: Entry): Record<string, number> {
  const alternatives = new Map<string, number>([[own, ownLogprob]])
  for (const { token, logprob } of top_logprobs) alternatives.set(token, Math.max(alternatives.get(token) ?? -Infinity, logprob))
  return Object.fromEntries(alternatives)
}
