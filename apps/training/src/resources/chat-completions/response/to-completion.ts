import type { ChatCompletion } from '@heddle/core-api/types'
import type { ChoiceDelta } from '../generation/choice-writer.ts'
import { createChoiceGatherer } from '../generation/gather-choices.ts'
import { promptIds, type ResponseHead, toUsage } from './response-head.ts'

/** Collects the streamed parts of a completion into one response. */
export async function toCompletion({ id, created, plan }: ResponseHead, parts: AsyncIterable<ChoiceDelta[]>): Promise<ChatCompletion> {
  const gatherer = createChoiceGatherer(plan)
  for await (const deltas of parts) gatherer.add(deltas)
  return {
    id,
    object: 'chat.completion',
    created,
    model: plan.model,
    // The finish reason of a choice is null only until it is sampled completely.
    choices: gatherer.choices(plan.report) as ChatCompletion['choices'],
    usage: toUsage({ prompt: plan.prompt.length, completion: gatherer.completionTokens() }),
    ...promptIds(plan),
  }
}
