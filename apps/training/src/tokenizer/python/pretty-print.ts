import { compareValues } from './compare.ts'
import { Bytes, Dict, isList, Tuple, typeName, type Value } from './values.ts'
import { assertLength } from '../template-limits.ts'
import { spaceCharacter } from './characters.ts'
import { lengthOf, splitLines } from './strings.ts'
import { reprOf } from './text-of.ts'

const width = 80

/** Where a value is written. */
interface Place {
  /** Columns before its lines. */
  indent: number
  /** Columns needed on its last line by the following text. */
  allowance: number
  /** Values around it. */
  level: number
}

/** What Python's `pprint.pformat` makes of a value: one that is longer than 80 columns has a line for each item, and keys are sorted. */
export function prettyPrint(value: Value): string {
  return format(value, { indent: 0, allowance: 0, level: 0 })
}

function format(value: Value, { indent, allowance, level }: Place): string {
  const repr = sortedRepr(value)
  if (lengthOf(repr) <= width - indent - allowance) return repr
  const place = { indent, allowance, level: level + 1 }
  if (typeof value === 'string') return formatText(value, place)
  if (value instanceof Bytes) return formatBytes(value, place)
  if (value instanceof Dict) return `{${formatEntries(value, place)}}`
  if (isList(value)) return `[${formatItems(value, { ...place, allowance: allowance + 1 })}]`
  if (!(value instanceof Tuple)) return repr
  const end = value.items.length === 1 ? ',)' : ')'
  return `(${formatItems(value.items, { ...place, allowance: allowance + end.length })}${end}`
}

/** What `repr` makes of it, with the keys of dictionaries sorted. */
function sortedRepr(value: Value): string {
  if (value instanceof Dict) return `{${joined(sortedEntries(value).map(([key, each]) => `${sortedRepr(key)}: ${sortedRepr(each)}`))}}`
  if (isList(value)) return `[${joined(value.map(sortedRepr))}]`
  if (!(value instanceof Tuple)) return reprOf(value)
  return value.items.length === 1 ? `(${sortedRepr(value.items[0]!)},)` : `(${joined(value.items.map(sortedRepr))})`
}

function joined(texts: readonly string[]): string {
  assertLength(texts.reduce((sum, text) => sum + text.length + 2, 0))
  return texts.join(', ')
}

/** Keys that have no order are sorted by the names of their types. */
function sortedEntries(dict: Dict): (readonly [Value, Value])[] {
  return [...dict.entries()].toSorted(([one], [other]) => {
    try {
      return compareValues(one, other) ?? 0
    } catch {
      const [left, right] = [typeName(one), typeName(other)]
      return left < right ? -1 : left > right ? 1 : 0
    }
  })
}

function formatEntries(dict: Dict, { indent, allowance, level }: Place): string {
  const entries = sortedEntries(dict)
  return linesOf(
    indent,
    entries.map(([key, value], at) => {
      const written = `${sortedRepr(key)}: `
      const isLast = at === entries.length - 1
      return written + format(value, { indent: indent + 1 + lengthOf(written), allowance: isLast ? allowance + 1 : 1, level })
    }),
  )
}

function formatItems(items: readonly Value[], { indent, allowance, level }: Place): string {
  return linesOf(
    indent,
    items.map((item, at) => format(item, { indent: indent + 1, allowance: at === items.length - 1 ? allowance : 1, level })),
  )
}

function linesOf(indent: number, lines: readonly string[]): string {
  assertLength(lines.reduce((sum, line) => sum + line.length + indent + 3, 0))
  return lines.join(`,\n${' '.repeat(indent + 1)}`)
}

/** A text in parts of a line each, with brackets around them where nothing else has some. */
function formatText(text: string, place: Place): string {
  if (text === '') return reprOf(text)
  const { indent, allowance } = withinBrackets(place)
  const chunks = chunksOf(text, width - indent, allowance)
  return chunks.length === 1 ? chunks[0]! : inBrackets(chunks, place)
}

/** Bytes in parts of a line each, in steps of four. */
function formatBytes({ bytes }: Bytes, place: Place): string {
  if (bytes.length <= 4) return reprOf(new Bytes(bytes))
  const { indent, allowance } = withinBrackets(place)
  const chunks: string[] = []
  let from = 0
  for (let at = 0; at < bytes.length; at += 4) {
    const isLast = at === Math.floor(bytes.length / 4) * 4
    const candidate = reprOf(new Bytes(bytes.subarray(from, at + 4)))
    if (candidate.length <= width - indent - (isLast ? allowance : 0)) continue
    if (at > from) chunks.push(reprOf(new Bytes(bytes.subarray(from, at))))
    from = at
  }
  return inBrackets([...chunks, reprOf(new Bytes(bytes.subarray(from)))], place)
}

function withinBrackets({ indent, allowance, level }: Place): Omit<Place, 'level'> {
  return level === 1 ? { indent: indent + 1, allowance: allowance + 1 } : { indent, allowance }
}

function inBrackets(chunks: readonly string[], place: Place): string {
  const { indent } = withinBrackets(place)
  assertLength(chunks.reduce((sum, chunk) => sum + chunk.length + indent + 1, 0))
  const written = chunks.join(`\n${' '.repeat(indent)}`)
  return place.level === 1 ? `(${written})` : written
}

function chunksOf(text: string, most: number, allowance: number): string[] {
  const lines = splitLines(text, true)
  return lines.flatMap((line, at) => {
    const isLast = at === lines.length - 1
    const repr = reprOf(line)
    return lengthOf(repr) <= most - (isLast ? allowance : 0) ? [repr] : partsOf(line, most, isLast ? allowance : 0)
  })
}

/** Parts of a line, each with as many words as fit; the last one leaves room for the following text. */
function partsOf(line: string, most: number, allowance: number): string[] {
  const words = wordsWithSpaces(line)
  const chunks: string[] = []
  let current = ''
  for (const [at, word] of words.entries()) {
    const room = at === words.length - 1 ? most - allowance : most
    if (lengthOf(reprOf(current + word)) <= room) current += word
    else {
      if (current !== '') chunks.push(reprOf(current))
      current = word
    }
  }
  return current === '' ? chunks : [...chunks, reprOf(current)]
}

/** Each word with the white space behind it. */
function wordsWithSpaces(line: string): string[] {
  const words: string[] = []
  let isSpace = true
  for (const character of line) {
    const wasSpace = isSpace
    isSpace = spaceCharacter.test(character)
    if (words.length === 0 || (wasSpace && !isSpace)) words.push(character)
    else words[words.length - 1] += character
  }
  return words
}
