import { createHash } from 'node:crypto'
import { type Message, messageKey } from '@heddle/core-api/histories'
import { timeSlices } from '@heddle/service-kit'

/** The first messages of a conversation, by which later requests find its trajectory. */
export interface ConversationDigest {
  digest: string
  /** How many messages it is of, those of the system excluded. */
  messages: number
}

/**
 * Digests of the first message of a conversation, the first two, and so on, each after those of `before`. Equal where texts, tool calls and results mean the same: programs change their
 * system prompt in the course of a session, and many leave out the reasoning of earlier answers. Other requests are served meanwhile.
 */
export async function conversationDigests(
  conversation: readonly Message[],
  before: ConversationDigest = noMessages,
): Promise<ConversationDigest[]> {
  const pace = timeSlices.begin()
  const digests: ConversationDigest[] = []
  let last = before
  for (const message of conversation) {
    if (!isOfConversation(message)) continue
    last = { digest: digestOf([last.digest, messageKey(saidIn(message))]), messages: last.messages + 1 }
    digests.push(last)
    await pace()
  }
  return digests
}

const noMessages: ConversationDigest = { digest: '', messages: 0 }

/** Digest of the idempotency key of a request; no conversation has it. */
export const repeatDigest = (idempotencyKey: string): ConversationDigest => ({
  digest: digestOf(['repeat', idempotencyKey]),
  messages: 0,
})

const isOfConversation = ({ role }: Message) => role !== 'system' && role !== 'developer'

function saidIn({ role, content, tool_calls: calls }: Message): Message {
  const functions = Array.isArray(calls) ? calls.map((call: Message) => call['function'] ?? null) : null
  return { role, content, tool_calls: functions } as Message
}

const digestOf = (parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64')
