import type { CallRow } from '@heddle/datastore'

type RowVersion = Pick<CallRow, 'version' | 'is_deleted'>

/** The highest version of each call, by its key. A call whose start time moved has its old key ended under the same version: the living one counts. */
export function latestVersions<R extends RowVersion>(rows: readonly R[], keyOf: (row: R) => string): Map<string, R> {
  const latest = new Map<string, R>()
  for (const row of rows) {
    const key = keyOf(row)
    const known = latest.get(key)
    if (known === undefined || isLater(row, known)) latest.set(key, row)
  }
  return latest
}

function isLater(row: RowVersion, known: RowVersion): boolean {
  return row.version > known.version || (row.version === known.version && row.is_deleted < known.is_deleted)
}
