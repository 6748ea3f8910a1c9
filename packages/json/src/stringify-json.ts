import { JsonText } from '@heddle/core-api/internal'
import { isJsonNumber } from './json-number.ts'
import { TextPieces } from './text-pieces.ts'

/**
 * Compact JSON text. `JsonNumber` and `JsonText` are written as they are, big integers as digits; everything else as `JSON.stringify` does.
 * @throws RangeError for a value that contains itself
 */
export function stringifyJson(value: unknown): string {
  if (value instanceof JsonText) return value.json
  return holdsRawText(value) ? writeText(value) : (JSON.stringify(value) ?? 'null')
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

function writeText(value: unknown): string {
  const pieces = new TextPieces()
  write(value, pieces)
  return pieces.text()
}

/** False where JSON has no text for the value. */
function hasText(value: unknown): boolean {
  if (typeof value === 'object') return value === null || !hasOwnForm(value) || JSON.stringify(value) !== undefined
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'
}

/** True for an object that defines its own JSON form, such as a date. */
function hasOwnForm(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function' && !isJsonNumber(value) && !(value instanceof JsonText)
}

/** Writes a value that has a text. */
function write(value: unknown, pieces: TextPieces): void {
  if (typeof value !== 'object' || value === null) pieces.add(typeof value === 'bigint' ? value.toString() : JSON.stringify(value))
  else if (isJsonNumber(value)) pieces.add(value.text)
  else if (value instanceof JsonText) pieces.add(value.json)
  else if (Array.isArray(value)) writeList(value, pieces)
  else if (hasOwnForm(value)) pieces.add(JSON.stringify(value))
  else writeObject(value as Record<string, unknown>, pieces)
}

function writeList(list: unknown[], pieces: TextPieces): void {
  let opening = '['
  for (const element of list) {
    pieces.add(opening)
    if (hasText(element)) write(element, pieces)
    else pieces.add('null')
    opening = ','
  }
  pieces.add(opening === '[' ? '[]' : ']')
}

function writeObject(object: Record<string, unknown>, pieces: TextPieces): void {
  let opening = '{'
  for (const key of Object.keys(object)) {
    const value = object[key]
    if (!hasText(value)) continue
    pieces.add(`${opening}${JSON.stringify(key)}:`)
    write(value, pieces)
    opening = ','
  }
  pieces.add(opening === '{' ? '{}' : '}')
}
