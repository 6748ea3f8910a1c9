import { parseJson } from '@heddle/json'
import { type JsonValue, SentJson } from './json-value.ts'
import { KeyInterner } from './key-interner.ts'
import { maxTextValues, PlainJsonScanner } from './plain-json-scanner.ts'

/** The value of an attribute text: text that begins with `[` or `{` and is JSON of bounded depth and size becomes that JSON; all other text stays. */
export function parseAttributeText(text: string): JsonValue {
  if (!opensJson(text.charCodeAt(0))) return text
  const bytes = Buffer.from(text)
  const strings = new PlainJsonScanner(bytes, new KeyInterner()).scan(0, bytes.length)
  if (strings !== undefined) return new SentJson(bytes, strings)
  try {
    return parseJson(text, { maxValues: 2 * maxTextValues }) as JsonValue
  } catch {
    return text
  }
}

/** True for the first character of a list or an object. */
export function opensJson(character: number): boolean {
  return character === 0x5b || character === 0x7b
}
