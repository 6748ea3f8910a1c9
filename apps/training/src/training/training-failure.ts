/** The job cannot continue, and another attempt would end the same way. The message names the remedy. */
export class TrainingFailure extends Error {
  override readonly name = 'TrainingFailure'
}
