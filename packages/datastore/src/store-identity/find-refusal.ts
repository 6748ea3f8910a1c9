import { statSync } from 'node:fs'
import type { Queries } from '../analytical/analytical.ts'
import type { StoreError } from '../work/store-error.ts'
import { analyticalSteps } from '../analytical/maintenance/migrate-analytical.ts'
import { readAnalyticalMark } from '../analytical/store-mark.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { newerData } from '../newer-data.ts'
import { relationalSteps } from '../relational/migrate-database.ts'
import { readSqlite } from '../relational/sqlite/open-read-only.ts'
import { mismatchError } from './bind-stores.ts'
import { checkStoreIds, type StoreMarks } from './check-store-ids.ts'

export interface FindRefusalOptions {
  /** File of the relational database. */
  database: string
  analytical: Pick<Queries, 'rows'>
  blobs: Pick<Blobs, 'storeId'>
}

/** Why a start on these stores would be refused; undefined when it would not. Nothing is changed. */
export async function findRefusal(options: FindRefusalOptions): Promise<string | undefined> {
  const { database } = options
  const newer = hasContent(database) ? readSqlite(database, findNewerStep) : undefined
  return (newer === undefined ? await findMismatch(options) : newerData(newer))?.message
}

/**
 * Checks whether the stores belong together, before the relational database is migrated or, if its file is missing, created again. Changes nothing.
 * @returns the error for stores that do not, with the remedy
 */
export async function findMismatch({ database, analytical, blobs }: FindRefusalOptions): Promise<StoreError | undefined> {
  const rows = hasContent(database) ? readSqlite(database, (file) => readRows(file, 'store_identity')) : []
  const relational = rows.map(({ id, is_bound }) => ({ id: String(id), isBound: is_bound === 1 }))[0]
  const marks: StoreMarks = { relational, analytical: await readAnalyticalMark(analytical), blobs: await blobs.storeId() }
  const verdict = checkStoreIds(marks, 'none')
  return 'mismatch' in verdict ? mismatchError(verdict.mismatch) : undefined
}

const hasContent = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0

type Reader = Parameters<Parameters<typeof readSqlite>[1]>[0]

function findNewerStep(file: Reader): string | undefined {
  const steps = { kysely_migration: relationalSteps, analytical_migrations: analyticalSteps }
  for (const [table, known] of Object.entries(steps)) {
    const newer = readRows(file, table).find(({ name }) => !known.some((step) => step.name === name))
    if (newer) return String(newer['name'])
  }
  return undefined
}

/** Empty where the table does not exist. */
function readRows(file: Reader, table: string): Record<string, unknown>[] {
  const isThere = file.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").all(table).length > 0
  return isThere ? (file.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[]) : []
}
