import type { Queries } from '../analytical/analytical.ts'
import { analyticalSteps } from '../analytical/maintenance/migrate-analytical.ts'
import { readAnalyticalMark } from '../analytical/store-mark.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { newerData } from '../newer-data.ts'
import { relationalSteps } from '../relational/migrate-database.ts'
import { readSqlite } from '../relational/sqlite/open-read-only.ts'
import { judgeMarks, type StoreMarks } from './judge-marks.ts'

export interface FindRefusalOptions {
  /** File of the relational database. */
  database: string
  analytical: Pick<Queries, 'rows'>
  blobs: Pick<Blobs, 'storeId'>
}

/** Why a start on these stores would be refused; undefined when it would not. Nothing is changed. */
export async function findRefusal({ database, analytical, blobs }: FindRefusalOptions): Promise<string | undefined> {
  const { newer, relational } = readSqlite(database, (file) => ({
    newer: findNewerStep(file),
    relational: readRows(file, 'store_identity').map(({ id, is_bound }) => ({ id: String(id), isBound: is_bound === 1 }))[0],
  }))
  if (newer !== undefined) return newerData(newer).message
  const marks: StoreMarks = { relational, analytical: await readAnalyticalMark(analytical), blobs: await blobs.storeId() }
  const verdict = judgeMarks(marks, 'none')
  return 'mismatch' in verdict ? `the stores do not belong together: ${verdict.mismatch}` : undefined
}

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
