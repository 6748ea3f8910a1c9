import type { JsonObject } from '@heddle/core-api'
import { type Choice, isChoice, type Message, messageOf } from '@heddle/core-api/histories'
import { isJsonObject } from '../capture/json-values.ts'
import type { RecordedTrajectory } from './recorded.ts'

/** Whether the choices of a trajectory carry the log-probabilities of their tokens, without which they are not trained on. */
export type LogprobsState = 'complete' | 'partial' | 'none'

export function logprobsOf(trajectory: RecordedTrajectory): LogprobsState {
  const all = [trajectory, ...trajectory.additional_histories].flatMap(({ messages_and_choices: elements }) => elements.filter(isChoice))
  const having = all.filter(hasLogprobs).length
  if (having === 0) return 'none'
  return having === all.length ? 'complete' : 'partial'
}

/**
 * Whether a message with tool calls lacks its tokens: they cannot be derived from its text, so a job that trains without log-probabilities refuses
 * it.
 */
export function hasUnknownTokens(trajectory: RecordedTrajectory): boolean {
  return [trajectory, ...trajectory.additional_histories].some(({ messages_and_choices: elements }) => elements.some(isUnknownCall))
}

function isUnknownCall(element: Message | Choice): boolean {
  const { role, tool_calls: calls } = messageOf(element)
  if (role !== 'assistant' || !Array.isArray(calls) || calls.length === 0) return false
  return !isChoice(element) || !(hasLogprobs(element) || Array.isArray(element['token_ids']))
}

function hasLogprobs({ logprobs }: JsonObject): boolean {
  if (!isJsonObject(logprobs)) return false
  return [logprobs['content'], logprobs['refusal']].some((entries) => Array.isArray(entries) && entries.length > 0)
}
