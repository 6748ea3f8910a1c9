/** What was sent cannot be trained on: another attempt fails as well. The message names the place, the value and the way out. */
export class TrainingInputError extends Error {
  override readonly name = 'TrainingInputError'
}
