import type { PlainSpan } from './plain-span.ts'
import { valueCodes } from './plain-span.ts'
import { field } from './span-groups.ts'
import { lastTextClass, longestOf, textClasses } from './text-class.ts'

/** Gives numbers from 0 up to 1. */
export type Random = () => number

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Texts with a meaning to some rule or none, if their class allows. */
const edgeCaseTexts = [
  'true', 'FALSE', 'nan', '0', '00', '-1', '+7', ' 5 ', '007', '12', '3.0', '1e3', 'null', 'undefined', '*', '|', '=gen_ai', ':', '/', '%2E', 'a/b', 'REDACTED',
  '2026-01-01T00:00:00Z', '2026-01-01', '1767225600000000000', 'weave', 'LLM', 'agent', 'ai.generateText', 'ai.streamText.doIt', "it's", '<b>', '\u007e', 'a',
] // prettier-ignore

/** The same for lists. */
const edgeCaseLists = [
  '[1]', '[ 1 ]', '["a"]', '[[]]', '[{}]', '[null]', '[true, false]', '[""]', '["weave"]', '["a\\"b\\n"]', '[{"role":"user","content":"x"}]', '[{"a": {"b": [0]}}]',
  `["${'x'.repeat(70)}"]`, '[{"role":"assistant","parts":[{"type":"text","content":"y"}]}, 2]',
] // prettier-ignore

/** Bounds of the bytes of a text, and whether it must have a blank, must have none, or may. */
interface TextShape {
  least: number
  most: number
  blank: 'must' | 'never' | 'may'
}

function shapeOf(code: number, random: Random): TextShape {
  if (code === textClasses.short) return { least: 1, most: longestOf.short, blank: 'may' }
  if (code === textClasses.marked) return { least: longestOf.short + 1, most: longestOf.marked, blank: 'may' }
  if (code === textClasses.word) return { least: longestOf.marked + 1, most: longestOf.word, blank: 'never' }
  if (code === textClasses.long) return { least: longestOf.prose + 1, most: longestOf.prose * 2, blank: 'may' }
  return random() < 0.5
    ? { least: longestOf.marked + 1, most: longestOf.prose, blank: 'must' }
    : { least: longestOf.word + 1, most: longestOf.prose, blank: 'may' }
}

/** A text of a class: in turn, each of the special ones if the class is short. */
function edgeCaseTextOf(code: number, { random, turn }: Choice): string {
  if (code === textClasses.empty) return ''
  if (code === textClasses.list) return edgeCaseLists[turn % edgeCaseLists.length] as string
  if (code === textClasses.short && turn < edgeCaseTexts.length) return edgeCaseTexts[turn] as string
  const { least, most, blank } = shapeOf(code, random)
  const length = turn % 3 === 0 ? least : turn % 3 === 1 ? most : least + Math.floor(random() * (most - least + 1))
  const text = Array.from({ length }, () => (blank !== 'never' && random() < 0.1 ? ' ' : letter(random)))
  if (blank === 'must') text[Math.floor(length / 2)] = ' '
  return text.join('')
}

/** A text of a class that occurs nowhere else. */
function uniqueTextOf(code: number, choice: Choice): string {
  const { random } = choice
  if (code === textClasses.empty) return ''
  if (code === textClasses.list) return `[ "${uniqueTextOf(textClasses.short, choice)}", {"q": 1}]`
  const { least, most, blank } = shapeOf(code, random)
  const length = Math.min(Math.max(least, 40), most)
  const text = Array.from({ length }, () => letter(random))
  if (blank === 'must') text[20] = ' '
  // Not a number and not the beginning of a reference.
  text[0] = 'q'
  return text.join('')
}

const letter = (random: Random) => letters[Math.floor(random() * letters.length)] as string

/** How the value of an attribute is chosen. */
interface Choice {
  values: 'unique' | 'edge cases'
  random: Random
  /** Index of the special value. */
  turn: number
}

const edgeCaseIntegers = [1, 2, 9, 10, 64, 1_000, 86_400, 1_767_225_600, 1e12, 2 ** 49]
const edgeCaseDoubles = [1, -1, 0.1, 0.7, 12, -2.5, 1e-5, 123_456_789.25, 1 / 3, 1e14]
const edgeCaseFractions = [0, 999, 1_000, 999_999_999, 100_000_000]

/** A span with the signature of `span` whose values occur nowhere else: no text or number is part of another. */
export function uniqueSpan(span: PlainSpan, random: Random): Buffer {
  return exampleSpan(span, () => ({ values: 'unique', random, turn: 0 }))
}

/** Spans with the signature of `span` that together give each attribute each special value, and others. */
export function edgeCaseSpans(span: PlainSpan, random: Random): Buffer[] {
  const turns = edgeCaseTexts.length + 4
  return Array.from({ length: turns }, (_, turn) =>
    exampleSpan(span, (index) => ({ values: 'edge cases', random, turn: (turn + index * 5) % turns })),
  )
}

function exampleSpan(span: PlainSpan, choiceOf: (attribute: number) => Choice): Buffer {
  const { bytes } = span
  const slice = (start: number, length: number) => bytes.subarray(start, start + length)
  const choice = choiceOf(0)
  const { random } = choice
  const parts = [field(10, idBytes(16, random)), field(18, idBytes(8, random))]
  if (span.parentId >= 0) parts.push(field(34, idBytes(8, random)))
  parts.push(field(42, slice(span.name, span.nameLength)), Buffer.from([48, span.kind]))
  parts.push(Buffer.from([57]), timeBytes(choice), Buffer.from([65]), timeBytes(choiceOf(1)))
  for (let index = 0; index < span.count; index += 1) {
    const key = slice(span.keys[index] as number, span.keyLengths[index] as number)
    const sent = slice(span.values[index] as number, span.valueLengths[index] as number)
    const value = span.isDeciding(index) ? field(10, sent) : valueBytes(span.codes[index] as number, choiceOf(index))
    parts.push(field(74, Buffer.concat([field(10, key), field(18, value)])))
  }
  const message = span.messageLength === 0 ? [] : [field(18, textBytes(span.messageCode, choice))]
  parts.push(field(122, Buffer.concat([...message, Buffer.from([24, span.statusCode])])))
  return Buffer.concat(parts)
}

function textBytes(code: number, choice: Choice): Buffer {
  return Buffer.from(choice.values === 'unique' ? uniqueTextOf(code, choice) : edgeCaseTextOf(code, choice), 'latin1')
}

function idBytes(size: number, random: Random): Buffer {
  return Buffer.from(Array.from({ length: size }, () => 1 + Math.floor(random() * 255)))
}

/** Within the years from 2001 to 2191. */
function timeBytes({ values, random, turn }: Choice): Buffer {
  const seconds = 1_000_000_000 + Math.floor(random() * 6_000_000_000)
  const fraction = values === 'edge cases' ? edgeCaseFractions[turn % edgeCaseFractions.length] : 100_001_000 + Math.floor(random() * 8e8)
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(seconds) * 1_000_000_000n + BigInt(fraction as number))
  return bytes
}

function valueBytes(code: number, choice: Choice): Buffer {
  const { values, random, turn } = choice
  if (code <= lastTextClass) return field(10, textBytes(code, choice))
  if (code === valueCodes.true || code === valueCodes.false) return Buffer.from([16, code - valueCodes.false])
  if (code === valueCodes.zero) return Buffer.from([24, 0])
  const isUnique = values === 'unique'
  if (code === valueCodes.integer) {
    const value = isUnique ? 1e14 + Math.floor(random() * 9e14) : edgeCaseIntegers[turn % edgeCaseIntegers.length]
    return Buffer.concat([Buffer.from([24]), varintBytes(value as number)])
  }
  const bytes = Buffer.alloc(9)
  bytes[0] = 33
  bytes.writeDoubleLE(isUnique ? 1 + random() : (edgeCaseDoubles[turn % edgeCaseDoubles.length] as number), 1)
  return bytes
}

function varintBytes(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  bytes.push(rest)
  return Buffer.from(bytes)
}
