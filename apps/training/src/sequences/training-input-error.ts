/** The sent data cannot be trained on: another attempt would fail as well. The message names the location, the value and the remedy. */
export class TrainingInputError extends Error {
  override readonly name = 'TrainingInputError'
}
