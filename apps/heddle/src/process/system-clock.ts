/** Microseconds since 1970, a whole number. The machine's clock, which may be set back. */
export function systemClock(): number {
  return Date.now() * 1_000
}
