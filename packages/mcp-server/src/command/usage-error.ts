/** What a person at a terminal has to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
