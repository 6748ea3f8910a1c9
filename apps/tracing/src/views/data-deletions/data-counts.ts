import type { DataCounts } from '@heddle/core-api/types'

export const noData: DataCounts = {
  calls: 0,
  feedback: 0,
  annotation_items: 0,
  object_versions: 0,
  tables: 0,
  table_rows: 0,
  files: 0,
}

/** The larger count of each kind: a crash loses the count of the part that it interrupted. */
export function largerCounts(one: DataCounts, other: DataCounts): DataCounts {
  return Object.fromEntries(
    Object.entries(one).map(([kind, count]) => [kind, Math.max(count, other[kind as keyof DataCounts])]),
  ) as DataCounts
}
