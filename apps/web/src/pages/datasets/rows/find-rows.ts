import { isJsonNumber } from '@heddle/json/exact'
import { jsonText } from '../../../lib/texts/to-text.ts'
import type { RowEdits } from './row-edits.ts'

/** The values of a row, at any depth, one on each line and in lower case: what a search looks through. Names of columns are not among them. */
export function textOfRow(row: unknown): string {
  const values: string[] = []
  addValues(values, row)
  return values.join('\n').toLowerCase()
}

function addValues(values: string[], value: unknown): void {
  if (typeof value === 'string') values.push(value)
  else if (typeof value === 'object' && value !== null && !isJsonNumber(value))
    for (const one of Object.values(value)) addValues(values, one)
  else values.push(jsonText(value))
}

/**
 * Indexes of the rows with a text in their values, whatever its case. Unsaved changes count as they will be saved; rows that will be added follow the
 * `count` rows of the version. `texts` are those of its first rows.
 */
export function findRows(texts: readonly string[], { changed, added }: RowEdits, count: number, text: string): Set<number> {
  const wanted = text.trim().toLowerCase()
  const has = (row: unknown) => textOfRow(row).includes(wanted)
  const found = texts.flatMap((one, place) => ((changed.has(place) ? has(changed.get(place)) : one.includes(wanted)) ? [place] : []))
  const further = [...changed].flatMap(([place, row]) => (place >= texts.length && has(row) ? [place] : []))
  return new Set([...found, ...further, ...added.flatMap((row, at) => (has(row) ? [count + at] : []))])
}
