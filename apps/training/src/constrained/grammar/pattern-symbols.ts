import type { AST } from '@eslint-community/regexpp'

/** Code points from the first to the second, both included. */
export type CodeRange = readonly [number, number]

const last = 0x10ffff
const digits: CodeRange[] = [[0x30, 0x39]]
const word: CodeRange[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]
const spaces: CodeRange[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]
const lineEnds: CodeRange[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]

/** Of `\\w`. */
export const wordCharacters: readonly CodeRange[] = word

export const anyCharacter: readonly CodeRange[] = [[0, last]]

/** The characters that a part of a pattern matches, sorted and disjoint. Null for sets of strings. */
export function rangesOf(part: AST.Character | AST.CharacterSet | AST.CharacterClass | AST.CharacterClassRange): CodeRange[] | null {
  switch (part.type) {
    case 'Character':
      return [[part.value, part.value]]
    case 'CharacterClassRange':
      return [[part.min.value, part.max.value]]
    case 'CharacterSet':
      return rangesOfSet(part)
    case 'CharacterClass': {
      const all: CodeRange[] = []
      for (const element of part.elements) {
        const own =
          element.type === 'Character' || element.type === 'CharacterClassRange' || element.type === 'CharacterSet'
            ? rangesOf(element)
            : null
        if (own === null) return null
        all.push(...own)
      }
      return part.negate ? complement(all) : joined(all)
    }
  }
}

function rangesOfSet(set: AST.CharacterSet): CodeRange[] | null {
  if (set.kind === 'any') return complement(lineEnds)
  if (set.kind === 'property') return set.strings ? null : propertyRanges(set.raw)
  const own = { digit: digits, word, space: spaces }[set.kind]
  return set.negate ? complement(own) : own
}

/** By their spelling, such as `\\p{L}`: few are in use, and each is found once. */
const properties = new Map<string, CodeRange[]>()

/** The characters of a property of Unicode, which the parser of expressions knows. */
function propertyRanges(spelling: string): CodeRange[] {
  const known = properties.get(spelling)
  if (known) return known
  // oxlint-disable-next-line no-restricted-globals -- one class of characters, which the parser has checked, in linear time
  const runs = new RegExp(`${spelling}+`, 'gu')
  const found = charactersInParts().flatMap(({ from, text }) => rangesIn(text, from, runs))
  const ranges = joined(found)
  properties.set(spelling, ranges)
  return ranges
}

const partLength = 0x8000

function charactersInParts(): { from: number; text: string }[] {
  return Array.from({ length: (last + 1) / partLength }, (_, part) => ({ from: part * partLength, text: textOf(part * partLength) }))
}

/** Lone surrogates are replaced by a private character. */
function textOf(from: number): string {
  return Array.from({ length: partLength }, (_, at) => String.fromCodePoint(isSurrogate(from + at) ? 0xe000 : from + at)).join('')
}

const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff

function rangesIn(text: string, from: number, runs: RegExp): CodeRange[] {
  const isWide = from >= 0x10000
  return Array.from(text.matchAll(runs), ({ 0: run, index }): CodeRange => {
    const [start, length] = isWide ? [index / 2, run.length / 2] : [index, run.length]
    return [from + start, from + start + length - 1]
  })
}

function joined(ranges: readonly CodeRange[]): CodeRange[] {
  const result: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const before = result.at(-1)
    if (before !== undefined && from <= before[1] + 1) before[1] = Math.max(before[1], to)
    else result.push([from, to])
  }
  return result
}

function complement(ranges: readonly CodeRange[]): CodeRange[] {
  const result: CodeRange[] = []
  let from = 0
  for (const [low, high] of joined(ranges)) {
    if (low > from) result.push([from, low - 1])
    from = high + 1
  }
  if (from <= last) result.push([from, last])
  return result
}
