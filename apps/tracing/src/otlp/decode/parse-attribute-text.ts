import { parseJson } from '@heddle/json'
import { DecodeError } from './decode-error.ts'
import { type JsonValue, SentJson } from '../json-value.ts'
import { KeyInterner } from './key-interner.ts'
import { maxTextValues, PlainJsonScanner } from './plain-json-scanner.ts'

/** Keys and values of one JSON text. */
const maxValues = 2 * maxTextValues
/** Keys and values of all JSON texts of a request that must be parsed. Plain ones are only scanned, and cost no more than their bytes. */
const maxParsedValues = 2_000_000

/** How many keys and values of JSON texts may still be parsed. */
export interface TextBudget {
  left: number
}

/** For a new request. */
export const createTextBudget = (): TextBudget => ({ left: maxParsedValues })

/**
 * The value of an attribute text: text that begins with `[` or `{` and is JSON of bounded depth and size becomes that JSON; all other text is
 * unchanged.
 * @throws DecodeError `too_many` when the budget is used up
 */
export function parseAttributeText(text: string, budget: TextBudget): JsonValue {
  if (!opensJson(text.charCodeAt(0))) return text
  const bytes = Buffer.from(text)
  const strings = new PlainJsonScanner(bytes, new KeyInterner()).scan(0, bytes.length)
  if (strings !== undefined) return new SentJson(bytes, strings)
  budget.left -= Math.min(countSeparators(bytes), maxValues)
  if (budget.left < 0)
    throw new DecodeError(
      'too_many',
      `JSON texts in the attributes of the request have more than ${maxParsedValues} values; send fewer spans at a time`,
    )
  try {
    return parseJson(text, { maxValues }) as JsonValue
  } catch {
    return text
  }
}

/** About the number of keys and values of a JSON text. */
function countSeparators(bytes: Uint8Array): number {
  let count = 1
  for (const byte of bytes) if (byte === 0x2c || byte === 0x3a) count += 1
  return count
}

/** True for the first character of a list or an object. */
export function opensJson(character: number): boolean {
  return character === 0x5b || character === 0x7b
}
