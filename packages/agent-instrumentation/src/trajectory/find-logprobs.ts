import type { JsonObject } from '@heddle/core-api'
import { isChoice } from '../histories/chat.ts'
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

function hasLogprobs({ logprobs }: JsonObject): boolean {
  if (!isJsonObject(logprobs)) return false
  return [logprobs['content'], logprobs['refusal']].some((entries) => Array.isArray(entries) && entries.length > 0)
}
