import type { DataCounts } from '@heddle/core-api/types'

/** Counts by kind for people, without those of 0. */
export function textOfCounts(counts: DataCounts): string {
  const named = Object.entries(counts).filter(([, count]) => count > 0)
  return named.length === 0
    ? 'Nothing'
    : named.map(([kind, count]) => `${count.toLocaleString('en')} ${kind.replaceAll('_', ' ')}`).join(', ')
}
