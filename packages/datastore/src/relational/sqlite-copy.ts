import { chmodSync } from 'node:fs'
import type Libsql from 'libsql'
import { damagedDatabase } from './sqlite/damaged-database.ts'
import { examineSqlite } from './sqlite/examine-sqlite.ts'
import { readSqlite } from './sqlite/open-read-only.ts'

/**
 * Copies a consistent snapshot of the database to a new file.
 * Other processes are not blocked; this thread is.
 * @throws StoreError `failed` when the database is damaged, before anything is written
 */
export function copySqlite(from: string, to: string): void {
  const damage = examineSqlite({ path: from, depth: 'start' })
  if (damage) throw damagedDatabase(from, damage)
  readSqlite(from, (file) => file.prepare('VACUUM INTO ?').run(to))
  chmodSync(to, 0o600)
}

/** Number of rows of each table, by name. @throws Error when the file is damaged. */
export function countSqliteRows(path: string): Record<string, number> {
  return readSqlite(path, (file) => {
    const [check] = file.prepare('PRAGMA quick_check').all() as { quick_check: string }[]
    if (check?.quick_check !== 'ok') throw new Error(`${path} is damaged: ${check?.quick_check}`)
    const tables = file.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name").all()
    return Object.fromEntries((tables as { name: string }[]).map(({ name }) => [name, countRows(file, name)]))
  })
}

function countRows(file: Libsql.Database, table: string): number {
  const [row] = file.prepare(`SELECT count(*) AS rows FROM "${table.replaceAll('"', '""')}"`).all() as { rows: number }[]
  return row?.rows ?? 0
}

/** Distinct hashes of the contents that the copy references. */
export function listSqliteContents(path: string): string[] {
  return readSqlite(path, (file) => {
    // Copies of earlier versions have no table of references.
    const hasReferences = file.prepare("SELECT 1 FROM sqlite_master WHERE name = 'blob_references'").all().length > 0
    const files = 'SELECT sha256 FROM files WHERE sha256 IS NOT NULL'
    const rows = file.prepare(hasReferences ? `${files} UNION SELECT sha256 FROM blob_references` : `${files} GROUP BY sha256`).all()
    return (rows as { sha256: string }[]).map(({ sha256 }) => sha256)
  })
}
