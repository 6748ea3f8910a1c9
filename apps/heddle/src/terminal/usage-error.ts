/** An error that the user can fix. Printed as its message, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
