import { isUtf8 } from 'node:buffer'
import { parseJson } from '@heddle/service-kit/json'
import { isPlainJson, type TextPlace } from './is-plain-json.ts'
import { type JsonValue, SentJson } from './json-value.ts'
import { KeyTable } from './key-table.ts'

/** The value of an attribute text: text that begins with `[` or `{` and is JSON of bounded depth becomes that JSON; all other text stays. */
export function parseAttributeText(text: string): JsonValue {
  if (!opensJson(text.charCodeAt(0))) return text
  const bytes = Buffer.from(text)
  const sent = findSentJson({ bytes, start: 0, end: bytes.length }, new KeyTable())
  if (sent !== undefined) return sent
  try {
    return parseJson(text) as JsonValue
  } catch {
    return text
  }
}

/** The JSON at that place, where it is JSON that can be stored as it was sent. The bytes are not copied. */
export function findSentJson(place: TextPlace, keys: KeyTable): SentJson | undefined {
  const { bytes, start, end } = place
  if (start === end || !opensJson(bytes[start] as number) || !isPlainJson(place, keys)) return undefined
  const source = bytes.subarray(start, end)
  return isUtf8(source) ? new SentJson(source) : undefined
}

function opensJson(character: number): boolean {
  return character === 0x5b || character === 0x7b
}
