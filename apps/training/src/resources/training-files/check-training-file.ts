import { checkTrainingData, type TrainingDataKind } from '../../sequences/fine-tuning/check-training-data.ts'

/** What is known of an uploaded file. */
export interface CheckedTrainingFile {
  kind: TrainingDataKind
  /** Lines that can be learned. */
  examples: number
  /** Why it cannot be learned. Null where it can. */
  error: string | null
}

/** Characters of a reason that are kept: lines repeat what clients wrote. */
const maxCharacters = 4_000

/** Checks an uploaded file, whose kind follows from its first line. */
export async function* checkTrainingFile(content: AsyncIterable<Uint8Array>): AsyncGenerator<CheckedTrainingFile> {
  const { kind, examples, errors, moreErrors } = await checkTrainingData(content, null)
  const more = moreErrors > 0 ? [`${moreErrors} more lines cannot be learned`] : []
  const reasons = examples + errors.length === 0 ? ['the file has no lines; write a JSON object on each'] : [...errors, ...more]
  yield { kind, examples, error: reasons.length === 0 ? null : reasons.join('\n').slice(0, maxCharacters) }
}
