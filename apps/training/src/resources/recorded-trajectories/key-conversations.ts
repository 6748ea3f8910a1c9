import type { Message } from '@heddle/core-api/histories'
import type { RecordedChoice } from '../chat-completions/response/gather-choices.ts'
import { conversationDigests, repeatDigest } from './conversation-digests.ts'
import type { ReachedConversation } from './recorded-trajectories-store.ts'

/** A chat with an API key whose conversations are trajectories. */
export interface Conversation {
  /** Id of the API key. */
  keyId: string
  messages: readonly Message[]
  /** A name that a repeated request shares with the first. */
  idempotencyKey: string | undefined
}

/** First messages of a request by which to find its conversation, longest first. */
const maxPrefixes = 1_000

/** Digests of conversations that a request may continue, in groups: those of a group before the next one. */
export function digestsToContinue({ messages, idempotencyKey: key }: Conversation): string[][] {
  const prefixes = conversationDigests(messages).slice(-maxPrefixes)
  return [...(key === undefined ? [] : [[repeatDigest(key).digest]]), prefixes.map(({ digest }) => digest)]
}

/**
 * What later requests may continue: the conversation with each of its sampled answers. One whose answer was abandoned is also continued by the first
 * request that sends it again; otherwise the same request is another attempt.
 */
export function reachedConversations(
  { messages, idempotencyKey: key }: Conversation,
  { choices, is_complete: isComplete }: { choices: readonly Pick<RecordedChoice, 'message'>[]; is_complete: boolean },
): ReachedConversation[] {
  const sent = conversationDigests(messages).at(-1)
  const answered = choices.flatMap(({ message }) => conversationDigests([{ ...message }], sent))
  return [
    ...(key === undefined ? [] : [{ ...repeatDigest(key), isOnce: false }]),
    ...answered.map((digest) => ({ ...digest, isOnce: false })),
    ...(sent === undefined || isComplete ? [] : [{ ...sent, isOnce: true }]),
  ]
}
