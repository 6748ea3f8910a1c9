import { parseJson } from '@heddle/service-kit/json'
import { isPlainJson } from './is-plain-json.ts'
import { type JsonValue, SentJson } from './json-value.ts'

/** The value of an attribute text: text that begins with `[` or `{` and is JSON of bounded depth becomes that JSON; all other text stays. */
export function parseAttributeText(text: string): JsonValue {
  const first = text.charCodeAt(0)
  if (first !== 0x5b && first !== 0x7b) return text
  if (isPlainJson(text)) return new SentJson(text)
  try {
    return parseJson(text) as JsonValue
  } catch {
    return text
  }
}
