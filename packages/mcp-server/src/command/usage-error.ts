/** An error that the user at a terminal must correct. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
