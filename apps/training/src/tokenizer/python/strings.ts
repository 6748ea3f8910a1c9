import { assertLength } from '../template-limits.ts'
import { lines, spaceCharacter, words } from './characters.ts'

/** Sides for methods of Python's `str`. Indexes count characters, as in Python. */

export type Side = 'left' | 'right' | 'both'

/** Without characters, white space is stripped. */
export function strip(text: string, characters: string | null, side: Side): string {
  const stripped = characters === null ? isSpaceCharacter : (character: string) => characters.includes(character)
  const all = Array.from(text)
  let [from, to] = [0, all.length]
  while (side !== 'right' && from < to && stripped(all[from]!)) from += 1
  while (side !== 'left' && from < to && stripped(all[to - 1]!)) to -= 1
  return all.slice(from, to).join('')
}

const isSpaceCharacter = (character: string) => spaceCharacter.test(character)

/** A negative `most` has no limit. Without a separator, runs of white space separate, and there are no empty parts. */
export function split(text: string, separator: string | null, most: number): string[] {
  if (separator !== null) {
    const parts = text.split(asSeparator(separator))
    return most < 0 || parts.length <= most + 1 ? parts : [...parts.slice(0, most), parts.slice(most).join(separator)]
  }
  const found = [...text.matchAll(words)]
  if (most < 0 || found.length <= most) return found.map(([word]) => word)
  const rest = found[most]
  const first = found.slice(0, most).map(([word]) => word)
  return rest === undefined ? first : [...first, text.slice(rest.index)]
}

/** As `split`, from the end. */
export function splitFromEnd(text: string, separator: string | null, most: number): string[] {
  if (separator !== null) return splitAtLast(text, asSeparator(separator), most)
  const found = [...text.matchAll(words)]
  const cut = found.length - most
  if (most < 0 || cut <= 0) return found.map(([word]) => word)
  const rest = found[cut - 1]!
  return [text.slice(0, rest.index + rest[0].length), ...found.slice(cut).map(([word]) => word)]
}

/** Separators that overlap are found from the end: `aaa` at `aa` is `a` and nothing. */
function splitAtLast(text: string, separator: string, most: number): string[] {
  const parts: string[] = []
  let end = text.length
  while (end >= separator.length && (most < 0 || parts.length < most)) {
    const at = text.lastIndexOf(separator, end - separator.length)
    if (at === -1) break
    parts.push(text.slice(at + separator.length, end))
    end = at
  }
  return [text.slice(0, end), ...parts.toReversed()]
}

function asSeparator(separator: string): string {
  if (separator === '') throw new Error('empty separator')
  return separator
}

export function splitLines(text: string, keepEnds: boolean): string[] {
  const found = [...text.matchAll(lines)].filter(([whole]) => whole !== '')
  return found.map(([whole, content]) => (keepEnds ? whole : content!))
}

/** The part of a text between two indexes, and its first index; negative ones count from the end. */
export function between(text: string, start: number | null, end: number | null): { part: string; from: number } | null {
  const characters = Array.from(text)
  const resolve = (index: number) => Math.max(0, index < 0 ? index + characters.length : index)
  const [from, to] = [resolve(start ?? 0), Math.min(characters.length, resolve(end ?? characters.length))]
  return from > characters.length || from > to ? null : { part: characters.slice(from, to).join(''), from }
}

/** The index of a text, -1 for none. */
export function find(text: string, wanted: string, from: 'start' | 'end', [start, end]: readonly (number | null)[]): number {
  const range = between(text, start ?? null, end ?? null)
  const at = range === null ? -1 : from === 'start' ? range.part.indexOf(wanted) : range.part.lastIndexOf(wanted)
  return at < 0 ? -1 : range!.from + lengthOf(range!.part.slice(0, at))
}

export const lengthOf = (text: string): number => Array.from(text).length

/** Occurrences that do not overlap; the empty text is around each character. */
export function count(text: string, wanted: string): number {
  return wanted === '' ? lengthOf(text) + 1 : text.split(wanted).length - 1
}

/** A negative `most` has no limit. */
export function replace(text: string, old: string, by: string, most: number): string {
  if (old !== '') {
    const parts = text.split(old)
    const cut = most < 0 ? parts.length : Math.min(parts.length, most + 1)
    assertLength(text.length + cut * by.length)
    return [parts.slice(0, cut).join(by), ...parts.slice(cut)].join(old)
  }
  const characters = Array.from(text)
  const times = most < 0 ? characters.length + 1 : most
  assertLength(text.length + Math.min(times, characters.length + 1) * by.length)
  const replaced = characters.map((character, at) => (at < times ? by + character : character)).join('')
  return times > characters.length ? replaced + by : replaced
}

export function partition(text: string, separator: string): [string, string, string] {
  const at = text.indexOf(asSeparator(separator))
  return at < 0 ? [text, '', ''] : [text.slice(0, at), separator, text.slice(at + separator.length)]
}

export function partitionFromEnd(text: string, separator: string): [string, string, string] {
  const at = text.lastIndexOf(asSeparator(separator))
  return at < 0 ? ['', '', text] : [text.slice(0, at), separator, text.slice(at + separator.length)]
}

export function joinTexts(texts: readonly string[], separator: string): string {
  assertLength(texts.reduce((sum, text) => sum + text.length + separator.length, 0))
  return texts.join(separator)
}

export type Alignment = 'left' | 'right' | 'center'

export function pad(text: string, width: number, fill: string, alignment: Alignment): string {
  const missing = width - lengthOf(text)
  if (missing <= 0) return text
  assertLength(width * fill.length)
  // Python gives the odd one to the left where the width is odd.
  const left = alignment === 'left' ? 0 : alignment === 'right' ? missing : Math.floor(missing / 2) + (missing & width & 1)
  return fill.repeat(left) + text + fill.repeat(missing - left)
}

export function fillWithZeros(text: string, width: number): string {
  const sign = /^[+-]/.exec(text)?.[0] ?? ''
  return sign + pad(text.slice(sign.length), width - sign.length, '0', 'right')
}

export function expandTabs(text: string, size: number): string {
  assertLength(text.length + count(text, '\t') * size)
  let column = 0
  return Array.from(text, (character) => {
    if (character === '\t') {
      const spaces = size > 0 ? size - (column % size) : 0
      column += spaces
      return ' '.repeat(spaces)
    }
    column = character === '\n' || character === '\r' ? 0 : column + 1
    return character
  }).join('')
}
