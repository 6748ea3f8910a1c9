/** An unsupported pattern. The message begins with the unsupported part, and the caller adds the location. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}
