import { createHash } from 'node:crypto'
import { type Message, messageKey } from '@heddle/core-api/histories'
import { timeSlices } from '@heddle/service-kit'

/** Identifies the first messages of a conversation; later requests find its trajectory by it. */
export interface ConversationDigest {
  digest: string
  /** Number of these messages, system messages excluded. */
  messages: number
}

/**
 * Digests of the first message of a conversation, the first two, and so on, following the messages of `before`. System prompts and reasoning are ignored,
 * since programs change their system prompt during a session, and many omit the reasoning of earlier answers. Yields to other requests in between.
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
    last = { digest: digestOf([last.digest, messageKey(comparableParts(message))]), messages: last.messages + 1 }
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

/** Without reasoning, and without the ids of tool calls. */
function comparableParts({ role, content, tool_calls: calls }: Message): Message {
  const functions = Array.isArray(calls) ? calls.map((call: Message) => call['function'] ?? null) : null
  return { role, content, tool_calls: functions } as Message
}

const digestOf = (parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64')
