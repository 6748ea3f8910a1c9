/** Which bytes may continue a character of UTF-8 (RFC 3629): the next one is in [low, high], then `left` further ones are 0x80 to 0xbf. */
export interface Utf8Rest {
  readonly low: number
  readonly high: number
  readonly left: number
}

const anyContinuation = { low: 0x80, high: 0xbf }
const leads = new Map<number, Utf8Rest>()
for (let byte = 0xc2; byte <= 0xdf; byte += 1) leads.set(byte, { ...anyContinuation, left: 0 })
for (let byte = 0xe0; byte <= 0xef; byte += 1) {
  // Excludes overlong forms and surrogates.
  leads.set(byte, { low: byte === 0xe0 ? 0xa0 : 0x80, high: byte === 0xed ? 0x9f : 0xbf, left: 1 })
}
for (let byte = 0xf0; byte <= 0xf4; byte += 1) {
  // Up to U+10FFFF.
  leads.set(byte, { low: byte === 0xf0 ? 0x90 : 0x80, high: byte === 0xf4 ? 0x8f : 0xbf, left: 2 })
}

/** The continuation after the first byte of a multi-byte character; undefined if no character begins with it. */
export function utf8RestOf(lead: number): Utf8Rest | undefined {
  return leads.get(lead)
}

/** The continuation after `byte`: null if the character is complete, undefined if the byte does not continue it. */
export function continueUtf8({ low, high, left }: Utf8Rest, byte: number): Utf8Rest | null | undefined {
  if (byte < low || byte > high) return undefined
  return left === 0 ? null : { ...anyContinuation, left: left - 1 }
}
