import { characterEntities } from 'character-entities'
import { characterEntitiesLegacy } from 'character-entities-legacy'

const reference = /&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)/gu

/** Numeric character references that HTML maps to other characters: those of Windows-1252, and two exceptions. */
const replaced: ReadonlyMap<number, string> = new Map([
  [0, '\u{fffd}'],
  [0x0d, '\r'],
  ...Array.from(
    '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178',
    (character, at): [number, string] => [0x80 + at, character],
  ),
])

const withoutSemicolon: ReadonlySet<string> = new Set(characterEntitiesLegacy)

/** Python's `html.unescape`: character references by number and by name, also those without a semicolon that HTML knows. */
export function unescapeHtml(text: string): string {
  return text.replace(reference, (_, content: string) => (content.startsWith('#') ? byNumber(content) : byName(content)))
}

function byNumber(content: string): string {
  const digits = content.replace(/^#[xX]?|;$/g, '')
  const code = Number.parseInt(digits, /^#[xX]/.test(content) ? 16 : 10)
  const known = replaced.get(code)
  if (known !== undefined) return known
  if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) return '\u{fffd}'
  return isInvalid(code) ? '' : String.fromCodePoint(code)
}

/** Controls and code points that never are characters. */
function isInvalid(code: number): boolean {
  const isControl = (code >= 1 && code <= 8) || code === 0x0b || (code >= 0x0e && code <= 0x1f) || (code >= 0x7f && code <= 0x9f)
  return isControl || (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe
}

/** The longest beginning that is a name counts. */
function byName(content: string): string {
  const whole = named(content)
  if (whole !== undefined) return whole
  for (let end = content.length - 1; end > 1; end -= 1) {
    const found = named(content.slice(0, end))
    if (found !== undefined) return found + content.slice(end)
  }
  return `&${content}`
}

function named(name: string): string | undefined {
  const key = name.endsWith(';') ? name.slice(0, -1) : withoutSemicolon.has(name) ? name : ''
  return Object.hasOwn(characterEntities, key) ? characterEntities[key] : undefined
}
