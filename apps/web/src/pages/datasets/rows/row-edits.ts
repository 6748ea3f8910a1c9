import type { Row } from './parse-rows.ts'

/** Unsaved changes of the rows of a version. Indexes are those of the version. */
export interface RowEdits {
  readonly changed: ReadonlyMap<number, Row>
  readonly removed: ReadonlySet<number>
  readonly added: readonly Row[]
}

export const noEdits: RowEdits = { changed: new Map(), removed: new Set(), added: [] }

export const countEdits = ({ changed, removed, added }: RowEdits): number => changed.size + removed.size + added.length

/** Changes a row; a removed one is kept again. */
export function changeRow(edits: RowEdits, place: number, row: Row): RowEdits {
  const removed = new Set(edits.removed)
  removed.delete(place)
  return { ...edits, removed, changed: new Map(edits.changed).set(place, row) }
}

/** Removes a row, or keeps it again. */
export function toggleRemoved(edits: RowEdits, place: number): RowEdits {
  const removed = new Set(edits.removed)
  if (!removed.delete(place)) removed.add(place)
  return { ...edits, removed }
}

export const addRows = (edits: RowEdits, rows: readonly Row[]): RowEdits => ({ ...edits, added: [...edits.added, ...rows] })

export type TableUpdate = { append: { row: Row } } | { pop: { index: number } } | { insert: { index: number; row: Row } }

/**
 * The changes in the form of the service, each applied after the previous ones. They run from the last index to the first, so that no change shifts a
 * later one. Unedited rows remain as stored.
 */
export function toTableUpdates({ changed, removed, added }: RowEdits): TableUpdate[] {
  const places = [...new Set([...changed.keys(), ...removed])].sort((one, other) => other - one)
  const updates = places.flatMap((index): TableUpdate[] => {
    const row = changed.get(index)
    const pop = { pop: { index } }
    return removed.has(index) || row === undefined ? [pop] : [pop, { insert: { index, row } }]
  })
  return [...updates, ...added.map((row) => ({ append: { row } }))]
}

/** Leaves a row out that was to be added. */
export const removeAdded = (edits: RowEdits, at: number): RowEdits => ({ ...edits, added: edits.added.toSpliced(at, 1) })
