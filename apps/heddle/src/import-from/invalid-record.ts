import { stringifyJson } from '@heddle/json'
import { lineError } from '../export/import-context.ts'
import type { Json, RecordPlace } from './foreign-item.ts'

const shownCharacters = 100

/** @throws UsageError that names the record, the field and its value */
export function invalid(place: RecordPlace, field: string, value: Json): never {
  const text = value === undefined ? 'nothing' : stringifyJson(value)
  throw lineError(place, `${field} is not a time, got ${text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text}`)
}
