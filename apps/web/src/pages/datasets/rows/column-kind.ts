import { isJsonNumber } from '@heddle/json/exact'

/** Kind of a column, from the values read: `category` for few distinct short texts, `none` if all are empty. */
export type ColumnKind = 'number' | 'boolean' | 'category' | 'text' | 'json' | 'none'

export const kindTitles: Readonly<Record<ColumnKind, string>> = {
  number: 'Number',
  boolean: 'Yes or no',
  category: 'Category',
  text: 'Text',
  json: 'JSON',
  none: 'Empty',
}

const longestCategory = 24
const fewestRows = 4

export function kindOfColumn(values: readonly unknown[]): ColumnKind {
  const known = values.filter((value) => value !== undefined && value !== null)
  if (known.length === 0) return 'none'
  if (known.every((value) => typeof value === 'number' || isJsonNumber(value))) return 'number'
  if (known.every((value) => typeof value === 'boolean')) return 'boolean'
  if (!known.every((value) => typeof value === 'string')) return 'json'
  const isShort = known.every((value) => value.length > 0 && value.length <= longestCategory)
  return isShort && known.length >= fewestRows && new Set(known).size <= known.length / 2 ? 'category' : 'text'
}
