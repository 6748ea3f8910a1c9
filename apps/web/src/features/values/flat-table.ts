import { pathBelow } from '@heddle/core-api/internal'
import { isJsonNumber } from '@heddle/json/exact'

/** Rows of a table, from an array of flat objects. */
export interface FlatTable {
  columns: readonly string[]
  rows: readonly Record<string, unknown>[]
}

/** More columns would be unreadable. */
const maxColumns = 30

/** The table that a value is; undefined where it is none. */
export function flatTableOf(value: unknown): FlatTable | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const columns = new Set<string>()
  for (const row of value as unknown[]) {
    if (typeof row !== 'object' || row === null || Array.isArray(row) || isJsonNumber(row)) return undefined
    for (const [name, cell] of Object.entries(row)) {
      if (typeof cell === 'object' && cell !== null && !isJsonNumber(cell)) return undefined
      columns.add(name)
    }
    if (columns.size > maxColumns) return undefined
  }
  return columns.size === 0 ? undefined : { columns: [...columns], rows: value as Record<string, unknown>[] }
}

/** The tables that a value is or has as its members, by their paths. */
export function tablesIn(value: unknown, path: string): { path: string; table: FlatTable }[] {
  const own = flatTableOf(value)
  if (own) return [{ path, table: own }]
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isJsonNumber(value)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const table = flatTableOf(member)
    return table ? [{ path: pathBelow(path, name), table }] : []
  })
}
