/** Orders texts by the bytes of their UTF-8 form. */
export function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at++) {
    const a = one.charCodeAt(at)
    const b = other.charCodeAt(at)
    if (a !== b) return rank(a) - rank(b)
  }
  return one.length - other.length
}

/** Ranks surrogates, which encode characters beyond U+FFFF, after every other unit. */
const rank = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
