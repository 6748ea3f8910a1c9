import { createConversation } from './data/conversation.ts'
import { encodeConversation, type EncodedConversation } from './data/encode-conversation.ts'
import { createRandom } from './data/random.ts'
import { copyTasks, tasks } from './data/tasks.ts'

export interface BatchSettings {
  seed: number
  conversationsPerStep: number
  /** Steps at the beginning in which nothing but copying is trained. */
  copySteps: number
  /** Longer ones are drawn again. */
  maxTokens: number
  /** Tokens of a batch, with the shorter sequences filled up to the longest. */
  batchTokens: number
}

/**
 * The batches of one optimizer step: conversations that are determined by seed and step alone, so that a run can resume anywhere, sorted by length to
 * minimize padding.
 */
export function stepBatches(settings: BatchSettings, step: number): EncodedConversation[][] {
  const random = createRandom(Math.imul(settings.seed, 0x9e3779b1) + Math.imul(step, 0x85ebca6b))
  const drawn: EncodedConversation[] = []
  while (drawn.length < settings.conversationsPerStep) {
    const encoded = encodeConversation(createConversation(random, step < settings.copySteps ? copyTasks : tasks))
    if (encoded.tokens.length <= settings.maxTokens) drawn.push(encoded)
  }
  const batches: EncodedConversation[][] = []
  for (const encoded of drawn.toSorted((a, b) => b.tokens.length - a.tokens.length)) {
    const last = batches.at(-1)
    const longest = last?.[0]?.tokens.length ?? 0
    if (last && (last.length + 1) * longest <= settings.batchTokens) last.push(encoded)
    else batches.push([encoded])
  }
  return batches
}
