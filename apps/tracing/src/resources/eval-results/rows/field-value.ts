import type { ResultField } from '../../../query/fields/result-field.ts'

/** What a field reads in a trial: a text, or a boolean score. Undefined where there is nothing, null or an empty text. */
export type FieldValue = string | boolean | undefined

/** Reads the JSON text of a field. */
export function toFieldValue(json: string, root: ResultField['root']): FieldValue {
  if (json === '' || json === 'null') return undefined
  if (json.startsWith('"')) return (JSON.parse(json) as string) || undefined
  return root === 'scores' && (json === 'true' || json === 'false') ? json === 'true' : json
}

/** The text of a value; boolean scores read as `1` and `0`, nothing as the empty text. */
export function textOfValue(value: FieldValue): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return value ?? ''
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** The number in a text; null where it is none. */
export function readDouble(text: string): number | null {
  return decimal.test(text) ? Number(text) : null
}
