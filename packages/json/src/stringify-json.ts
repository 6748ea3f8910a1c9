import { JsonText } from '@heddle/core-api/internal'
import { isJsonNumber } from './json-number.ts'

/**
 * Compact JSON text. `JsonNumber` and `JsonText` are written as they are, big integers as digits; everything else as `JSON.stringify` does.
 * @throws RangeError for a value that contains itself
 */
export function stringifyJson(value: unknown): string {
  if (value instanceof JsonText) return value.json
  return holdsRawText(value) ? (write(value) ?? 'null') : (JSON.stringify(value) ?? 'null')
}

/** True when some part of the value must be written by us. */
function holdsRawText(value: unknown): boolean {
  if (typeof value === 'bigint') return true
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(holdsRawText)
  if (isJsonNumber(value) || value instanceof JsonText) return true
  for (const key in value) if (holdsRawText((value as Record<string, unknown>)[key])) return true
  return false
}

/** Undefined where JSON has no text for the value. */
function write(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isJsonNumber(value)) return value.text
  if (value instanceof JsonText) return value.json
  if (Array.isArray(value)) return writeList(value)
  if ('toJSON' in value && typeof value.toJSON === 'function') return JSON.stringify(value)
  return writeObject(value as Record<string, unknown>)
}

function writeList(list: unknown[]): string {
  let text = '['
  for (let index = 0; index < list.length; index++) {
    if (index > 0) text += ','
    text += write(list[index]) ?? 'null'
  }
  return `${text}]`
}

function writeObject(object: Record<string, unknown>): string {
  let text = '{'
  for (const key of Object.keys(object)) {
    const value = write(object[key])
    if (value === undefined) continue
    text += `${text.length > 1 ? ',' : ''}${JSON.stringify(key)}:${value}`
  }
  return `${text}}`
}
