import { type PlainMessage, type SentMessage, toPlainMessages } from '../tokenizer/plain-messages.ts'
import { TrainingInputError } from './training-input-error.ts'

/** Messages as templates read them. @throws TrainingInputError that begins with what `placeOf` calls the message */
export function plainMessages(messages: readonly SentMessage[], placeOf: (index: number) => string): PlainMessage[] {
  try {
    return toPlainMessages(messages, placeOf)
  } catch (error) {
    throw new TrainingInputError((error as Error).message, { cause: error })
  }
}
