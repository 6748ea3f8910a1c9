import { NotUtf8, readUtf8Lines } from '@heddle/core-api/internal'
import { TrainingInputError } from '../training-input-error.ts'

/** The lines of training data while it is read. @throws TrainingInputError that names the first line which is not UTF-8 */
export async function* readDataLines(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  try {
    yield* readUtf8Lines(content)
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error
    throw new TrainingInputError(`line ${error.line} of the training data ${error.reason}`)
  }
}
