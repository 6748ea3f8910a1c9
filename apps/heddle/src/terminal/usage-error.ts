/** Something that the person at the terminal can put right. Shown as its message alone, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
