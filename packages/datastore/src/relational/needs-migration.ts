import { statSync } from 'node:fs'
import { relationalSteps } from './migrate-database.ts'
import { readSqlite } from './sqlite/open-read-only.ts'

/** Whether opening the file would create it or change its schema. Nothing is changed. */
export function needsMigration(path: string): boolean {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return true
  return readSqlite(path, (file) => {
    const isBegun = file.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'kysely_migration'").all().length > 0
    if (!isBegun) return true
    const applied = new Set((file.prepare('SELECT name FROM kysely_migration').all() as { name: string }[]).map(({ name }) => name))
    return relationalSteps.some(({ name }) => !applied.has(name))
  })
}
