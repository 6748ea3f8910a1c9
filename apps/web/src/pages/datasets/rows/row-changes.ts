import { compareRows, type RowsComparison, type VersionRow } from '../../../features/datasets/compare-rows.ts'

/** How the rows of a version differ from those of the previous one, by index. */
export interface RowChanges extends Pick<RowsComparison, 'added' | 'removed' | 'changed'> {
  /** Added rows, and rows that replaced another, with the replaced one. */
  byPlace: ReadonlyMap<number, { kind: 'added' } | { kind: 'changed'; before: unknown }>
}

export function rowChanges(before: readonly VersionRow[], after: readonly VersionRow[]): RowChanges {
  const { added, removed, changed } = compareRows(before, after)
  const byPlace = new Map<number, { kind: 'added' } | { kind: 'changed'; before: unknown }>()
  for (const { original_index } of added) if (original_index !== null) byPlace.set(original_index, { kind: 'added' })
  for (const { before: old, after: row } of changed)
    if (row.original_index !== null) byPlace.set(row.original_index, { kind: 'changed', before: old.val })
  return { added, removed, changed, byPlace }
}
