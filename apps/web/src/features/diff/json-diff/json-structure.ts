import { isJsonNumber, parseExactJson } from '@heddle/json/exact'

/** Characters of a text that is looked into. */
const maxCharacters = 2_000_000

/** An object or a list, or the one in a JSON text: models often answer so. Undefined for other values. */
export function jsonStructure(value: unknown): object | undefined {
  if (typeof value === 'object' && value !== null) return isJsonNumber(value) ? undefined : value
  if (typeof value !== 'string' || value.length > maxCharacters || !/^\s*[[{]/.test(value)) return undefined
  try {
    return parseExactJson(value) as object
  } catch {
    return undefined
  }
}
