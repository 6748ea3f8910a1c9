import { type ConversationDigest, conversationDigests, repeatDigest } from './conversation-digests.ts'
import type { RecordedChoice } from './recorded-call.ts'
import type { ReachedConversation } from './recorded-trajectories-store.ts'

/** A chat with an API key whose conversations are trajectories. */
export interface Conversation {
  /** Id of the API key. */
  keyId: string
  /** Its messages, as far as each. */
  said: readonly ConversationDigest[]
  /** A name that a repeated request shares with the first. */
  idempotencyKey: string | undefined
}

/** First messages of a request by which to find its conversation, longest first. */
const maxPrefixes = 1_000

/** Digests of conversations that a request may continue, in groups: those of a group before the next one. */
export function digestsToContinue({ said, idempotencyKey: key }: Conversation): string[][] {
  const prefixes = said.slice(-maxPrefixes)
  return [...(key === undefined ? [] : [[repeatDigest(key).digest]]), prefixes.map(({ digest }) => digest)]
}

/**
 * What later requests may continue: the conversation with each of its sampled answers. One whose answer was abandoned is also continued by the first
 * request that sends it again; otherwise the same request is another attempt.
 */
export async function reachedConversations(
  { said, idempotencyKey: key }: Conversation,
  { choices, is_complete: isComplete }: { choices: readonly Pick<RecordedChoice, 'message'>[]; is_complete: boolean },
): Promise<ReachedConversation[]> {
  const sent = said.at(-1)
  const answered = await Promise.all(choices.map(({ message }) => conversationDigests([{ ...message }], sent)))
  return [
    ...(key === undefined ? [] : [{ ...repeatDigest(key), isOnce: false }]),
    ...answered.flat().map((digest) => ({ ...digest, isOnce: false })),
    ...(sent === undefined || isComplete ? [] : [{ ...sent, isOnce: true }]),
  ]
}
