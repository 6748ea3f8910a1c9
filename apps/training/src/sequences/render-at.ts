import type { SequenceTokenizer } from './sequence-tokenizer.ts'
import { TrainingInputError } from './training-input-error.ts'

type Conversation = Parameters<SequenceTokenizer['render']>[0]

/** The template's text. @throws TrainingInputError with the location of the conversation, if the template refuses it */
export function renderAt(place: string, tokenizer: SequenceTokenizer, conversation: Conversation): string {
  try {
    return tokenizer.render(conversation)
  } catch (error) {
    throw new TrainingInputError(`${place}: ${(error as Error).message}`, { cause: error })
  }
}
