/** A row of a version of a dataset. */
export interface VersionRow {
  digest: string
  val: unknown
  original_index: number | null
}

/** How a version of a dataset differs from an older one. Each list is in the order of its version. */
export interface RowsComparison {
  added: VersionRow[]
  removed: VersionRow[]
  /** Rows at the same index with different content. */
  changed: { before: VersionRow; after: VersionRow }[]
  unchanged: number
}

/** Compares two versions by the digests of their rows: a row that has only moved is unchanged. Linear in the number of rows. */
export function compareRows(before: readonly VersionRow[], after: readonly VersionRow[]): RowsComparison {
  const kept = new Map<string, number>()
  for (const { digest } of before) kept.set(digest, (kept.get(digest) ?? 0) + 1)
  const onlyAfter = after.filter(({ digest }) => !take(kept, digest))
  const onlyBefore = takeLast(before, kept)
  const places = new Map(onlyBefore.map((row) => [row.original_index, row]))
  const changed: RowsComparison['changed'] = []
  const added: VersionRow[] = []
  for (const row of onlyAfter) {
    const old = row.original_index === null ? undefined : places.get(row.original_index)
    if (!old) added.push(row)
    else {
      changed.push({ before: old, after: row })
      places.delete(row.original_index)
    }
  }
  return { added, removed: [...places.values()], changed, unchanged: after.length - onlyAfter.length }
}

/** Removes one occurrence of a digest, if there is one. */
function take(counts: Map<string, number>, digest: string): boolean {
  const count = counts.get(digest) ?? 0
  if (count === 0) return false
  counts.set(digest, count - 1)
  return true
}

/** The rows that are left: of several with one digest, the last ones. */
function takeLast(rows: readonly VersionRow[], counts: Map<string, number>): VersionRow[] {
  return rows
    .toReversed()
    .filter(({ digest }) => take(counts, digest))
    .toReversed()
}
