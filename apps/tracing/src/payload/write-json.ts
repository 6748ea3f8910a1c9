import { isJsonNumber, JsonText } from '@heddle/core-api'
import { jsonString } from './json-string.ts'

/**
 * Compact JSON text of a JSON value, as `stringifyJson` writes it: numbers and ready texts as they were sent. `undefined` is null, and left out of objects.
 * Made for payloads: many small parts, some of them ready. The caller has bounded the depth.
 */
export function writeJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return jsonString(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'object':
      return value === null ? 'null' : writeParts(value)
    default:
      return value === undefined ? 'null' : String(value)
  }
}

function writeParts(value: object): string {
  if (Array.isArray(value)) return writeList(value)
  if (value instanceof JsonText) return value.json
  return isJsonNumber(value) ? value.text : writeObject(value as Record<string, unknown>)
}

function writeList(list: unknown[]): string {
  let text = '['
  for (let index = 0; index < list.length; index += 1) text += index === 0 ? writeJson(list[index]) : `,${writeJson(list[index])}`
  return `${text}]`
}

function writeObject(object: Record<string, unknown>): string {
  let text = '{'
  for (const key in object) {
    const member = object[key]
    if (member !== undefined) text += `${text.length === 1 ? '' : ','}${jsonString(key)}:${writeJson(member)}`
  }
  return `${text}}`
}
