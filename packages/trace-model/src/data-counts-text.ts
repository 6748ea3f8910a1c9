import type { DataCounts } from '@heddle/core-api/types'

const names: Record<keyof DataCounts, readonly [one: string, several: string]> = {
  calls: ['call', 'calls'],
  feedback: ['feedback', 'feedback'],
  annotation_items: ['queue item', 'queue items'],
  object_versions: ['object version', 'object versions'],
  tables: ['table', 'tables'],
  table_rows: ['table row', 'table rows'],
  files: ['file', 'files'],
}
const kinds = Object.keys(names) as (keyof DataCounts)[]

/** Counts by kind for people, without those of 0, such as `1,200 calls, 1 table row`. Empty where all are 0. */
export function dataCountsText(counts: DataCounts): string {
  const named = kinds.filter((kind) => counts[kind] > 0)
  return named.map((kind) => `${counts[kind].toLocaleString('en')} ${names[kind][counts[kind] === 1 ? 0 : 1]}`).join(', ')
}
