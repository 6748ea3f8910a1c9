const wholeNumber = /^-?(0|[1-9]\d{0,18})$/

/**
 * The decimal text under which a stored number is read: `5.0` is `5`, `1e3` is `1000`.
 * Undefined where the engine might write another text: beyond 10^15 with a fraction or exponent, below 10^-5, and negative zero.
 */
export function plainNumberText(written: string): string | undefined {
  if (written === '-0') return undefined
  if (wholeNumber.test(written)) return written
  const value = Number(written)
  const size = Math.abs(value)
  if (Object.is(value, -0) || size >= 1e15 || (size < 1e-5 && size > 0)) return undefined
  return String(value)
}
