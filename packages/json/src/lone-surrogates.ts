// With the `u` flag a pair is one character, so this finds only halves without a partner.
const loneSurrogate = /\p{Surrogate}/gu

/** Replaces each half of a surrogate pair that stands alone by U+FFFD, since UTF-8 cannot carry it. `count` is how many there were. */
export function replaceLoneSurrogates(text: string): { text: string; count: number } {
  let count = 0
  const replaced = text.replace(loneSurrogate, () => {
    count++
    return '\uFFFD'
  })
  return { text: replaced, count }
}

// A surrogate without its other half next to it, or an escaped backslash before `ud`, which looks like an escape but is not.
const suspectEscape = /\\\\u[dD]|\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F]/

/** False only if no escape of this JSON text can be a lone surrogate. */
export function mayEscapeLoneSurrogate(json: string): boolean {
  // Most texts have no such escape at all, and each search meets all their backslashes.
  return json.includes('\\u') && (json.includes('\\ud') || json.includes('\\uD')) && suspectEscape.test(json)
}
