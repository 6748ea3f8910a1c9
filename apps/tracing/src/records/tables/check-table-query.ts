import type { SortBy } from '@heddle/core-api'
import { badRequest, type TableQuery } from '@heddle/core-api/internal'
import type { RowsSelection } from './tables-store.ts'

const maxPathLength = 4_000

/**
 * A query of rows as a selection. No list of digests and an empty one both mean all rows.
 * @throws 400 for a negative limit or offset, and a sort path with a blank part.
 */
export function checkTableQuery({ digest, filter, limit, offset, sort_by }: TableQuery): RowsSelection {
  checkCount('limit', limit ?? 0)
  checkCount('offset', offset ?? 0)
  const row_digests = filter?.row_digests ?? []
  return {
    digest,
    row_digests: row_digests.length === 0 ? null : possible(row_digests),
    sort_by: checkSort(sort_by ?? []),
    limit,
    offset: offset ?? 0,
  }
}

/** A row digest with NUL in it cannot be stored, and the store refuses to compare with it. */
function possible(digests: readonly string[]): string[] {
  return digests.filter((digest) => !digest.includes('\0'))
}

function checkCount(name: string, value: number): void {
  if (value < 0) throw badRequest(`${name} must not be negative, got ${value}`)
}

function checkSort(keys: readonly SortBy[]): readonly SortBy[] {
  for (const { field } of keys) {
    const isWrong = field.length > maxPathLength || field.includes('\0') || field.split('.').some((part) => part.trim() === '')
    if (isWrong) throw badRequest(`sort_by field ${JSON.stringify(field.slice(0, 200))} is not a path: separate keys with single dots`)
  }
  return keys
}
