/** The job cannot go on, and another attempt would end the same way. The message says what to change. */
export class TrainingFailure extends Error {
  override readonly name = 'TrainingFailure'
}
