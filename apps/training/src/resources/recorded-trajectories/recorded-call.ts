import { createHash } from 'node:crypto'
import type { ChatCompletion } from '@heddle/core-api/types'
import { stringifyJson } from '@heddle/json'
import { timeSlices } from '@heddle/service-kit'

type Message = Record<string, unknown>
type WholeChoice = ChatCompletion['choices'][number]

/** A choice with everything that training needs, even if the client did not request it. Its reason is null if it was abandoned before its end. */
export type RecordedChoice = Omit<WholeChoice, 'finish_reason'> & { finish_reason: WholeChoice['finish_reason'] | null }

/** A recorded call, as stored in its blob. */
export interface CallContent {
  format: 1
  /** Those after the messages of its base. */
  messages: Message[]
  tools: Message[] | null
  choices: RecordedChoice[]
  /** Whether the policy sampled the choices to their end. */
  is_complete: boolean
  /** Step of the checkpoint. */
  step: number
  /** Span that the request belonged to. */
  span_id: string | null
}

/** A digest for no message, the first one, the first two, and so on: equal where the messages have the same text. Other requests are served meanwhile. */
export async function prefixDigests(messages: readonly Message[]): Promise<string[]> {
  const pace = timeSlices.begin()
  const digests = ['']
  for (const message of messages) {
    digests.push(createHash('sha256').update(digests.at(-1)!).update(stringifyJson(message)).digest('base64'))
    await pace()
  }
  return digests
}

/** Clients need not send these, and the contract fills them in. */
export function withoutAbsent({ tool_calls: calls, tool_call_id: id, ...message }: Message): Message {
  return { ...message, ...(calls != null && { tool_calls: calls }), ...(id != null && { tool_call_id: id }) }
}
