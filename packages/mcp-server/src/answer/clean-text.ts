import { isJsonNumber } from '@heddle/json/exact'

// Control characters but tab and line feed, marks of direction, other separators of lines, halves of pairs, and all that is drawn as nothing.
const hidden = /[^\P{Cc}\t\n]|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/gu

/** Removes what a reader would not see: control and zero-width characters, and marks of direction. Tabs and line feeds are kept. */
export function cleanText(text: string): string {
  return text.replace(hidden, '')
}

type Convert = (text: string) => string

const maxDepth = 64
/** Replaces values that are nested more deeply. */
const tooDeep = `…[nested more than ${maxDepth} levels]`

/** The value with every text in it converted, keys included. */
export function mapTexts(value: unknown, convert: Convert, depth = 0): unknown {
  if (typeof value === 'string') return convert(value)
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return value
  if (depth >= maxDepth) return tooDeep
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, convert, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [convert(key), mapTexts(item, convert, depth + 1)]))
}

const words = /[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+/g

/**
 * Prepares text of traces, rows and logs, which anyone may have written, for the eyes of a model: hidden characters are removed, and a word that is
 * the name of a tool is written with hyphens, so that the text cannot name one to call.
 */
export function createRecordedText(toolNames: ReadonlySet<string>): (value: unknown) => unknown {
  const disarm = (text: string) =>
    cleanText(text).replace(words, (word) => (toolNames.has(word.toLowerCase()) ? word.replaceAll('_', '-') : word))
  return (value) => mapTexts(value, disarm)
}
