const delimiters = /([,;| /?.])/

export interface ShortName {
  /** Longest allowed result, in characters. A longer name is cut so that the result is shorter. */
  maxLength: number
  suffix: string
  /** Whether the delimiter at which the name is cut is kept before the suffix, unless the suffix begins with it. */
  keepsDelimiter: boolean
}

/** Shortens a name at its delimiters; a name of at most `maxLength` characters is unchanged. Characters are code points. */
export function shortenName(name: string, { maxLength, suffix, keepsDelimiter }: ShortName): string {
  if (name.length <= maxLength || (name.length <= maxLength * 2 && lengthOf(name) <= maxLength)) return name
  const room = maxLength - suffix.length
  const [first = '', ...rest] = name.split(delimiters, maxLength * 2)
  if (lengthOf(first) > room || rest.length === 0)
    return (
      Array.from(name.slice(0, room * 2))
        .slice(0, room)
        .join('') + suffix
    )
  let kept = first
  let length = lengthOf(first)
  for (const part of rest) {
    length += lengthOf(part)
    if (length >= room) break
    kept += part
  }
  const words = withoutEndDelimiters(kept)
  const delimiter = name.charAt(words.length)
  return words + (keepsDelimiter && !suffix.startsWith(delimiter) ? delimiter : '') + suffix
}

function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

function withoutEndDelimiters(text: string): string {
  return text.replace(/[,;| /?.]+$/, '')
}
