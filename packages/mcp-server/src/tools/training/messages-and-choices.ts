import type { Call } from '@heddle/core-api'
import { tokensOf } from '../traces/traced-call.ts'
import { valueAt } from '../pick-paths.ts'

/** One attempt as training takes it. */
export interface AttemptContent {
  /** Messages are context; choices are what the model sampled. */
  messages_and_choices: object[]
  tools: unknown
  choices: number
  tokens: number
  /** Whether every choice has the log-probabilities without which it is not trained on. */
  hasLogprobs: boolean
}

/**
 * Reads the model calls of an attempt, in the order of their start: what a request repeats of the conversation so far is taken once, and each
 * response adds its first choice as it was sampled.
 */
export function toMessagesAndChoices(calls: readonly Call[]): AttemptContent {
  const content: AttemptContent = { messages_and_choices: [], tools: null, choices: 0, tokens: 0, hasLogprobs: true }
  for (const call of calls) {
    const choice = valueAt(call.output, 'choices.0')
    const messages = valueAt(call.inputs, 'messages') ?? valueAt(call.inputs, 'kwargs.messages')
    if (!isObject(choice) || !isObject(choice['message']) || !Array.isArray(messages)) continue
    // A conversation goes on where it was; the messages before are in it, as choices where the model sampled them.
    const known = content.messages_and_choices.length
    content.messages_and_choices.push(...messages.slice(known).filter(isObject), choice)
    content.tools ??= valueAt(call.inputs, 'tools') ?? null
    content.choices++
    content.tokens += tokensOf(call) ?? 0
    content.hasLogprobs &&= Array.isArray(valueAt(choice, 'logprobs.content'))
  }
  return content
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
