import type { BlockRange, TablePart } from './table-parts.ts'

/** The present state of the tables. */
export interface PresentParts {
  /** Seconds since 1970. */
  now: number
  parts: readonly TablePart[]
  /** Block ranges of detached parts, which are reported separately. */
  detached: readonly BlockRange[]
  /** Number of the last delete mutation of each table. */
  deletions: ReadonlyMap<string, number>
}

/** A part whose rows are in no present part, without an explanation. */
export interface LostPart {
  table: string
  name: string
  /** Number of its rows that are missing. */
  rows: number
}

/**
 * Finds the recorded parts whose rows are missing. A part may have been merged into another one, replaced by its source parts, detached, or emptied
 * by a delete or the expiry of its rows: these are not losses, nor is a table that was recreated.
 */
export function findLostParts(noted: readonly TablePart[], present: PresentParts): LostPart[] {
  return noted.flatMap((part) => {
    if (part.rows === 0 || isExplained(part, present)) return []
    const rows = missingRows(part, present.parts)
    return rows > 0 ? [{ table: part.table, name: part.name, rows }] : []
  })
}

/**
 * Number of rows of a detached part that are in no other part: the engine falls back to its source parts if they still exist.
 * Undefined when the part was never recorded.
 */
export function rowsMissingFrom(detached: BlockRange, noted: readonly TablePart[], parts: readonly TablePart[]): number | undefined {
  const inside = noted.filter((part) => holds(detached, part))
  return inside.length === 0 ? undefined : inside.reduce((sum, part) => sum + Math.max(0, missingRows(part, parts)), 0)
}

function missingRows(part: TablePart, parts: readonly TablePart[]): number {
  const inside = parts.filter((other) => other.tableId === part.tableId && (holds(part, other) || holds(other, part)))
  return part.rows - inside.reduce((sum, other) => sum + other.rows, 0)
}

function isExplained(part: TablePart, { now, parts, detached, deletions }: PresentParts): boolean {
  const tables = parts.filter(({ table }) => table === part.table)
  if (tables.length > 0 && tables.every(({ tableId }) => tableId !== part.tableId)) return true
  if (part.expiresAt > 0 && part.expiresAt <= now) return true
  if ((deletions.get(part.table) ?? -Infinity) > part.dataVersion) return true
  return [...tables, ...detached].some((other) => holds(other, part))
}

/** Whether the blocks of `inner` are among those of `outer`. */
function holds(outer: BlockRange, inner: BlockRange): boolean {
  const isSamePlace = outer.table === inner.table && outer.partition === inner.partition
  return isSamePlace && outer.minBlock <= inner.minBlock && outer.maxBlock >= inner.maxBlock
}
