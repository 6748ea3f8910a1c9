import { chmodSync } from 'node:fs'
import Libsql from 'libsql'

/**
 * Writes the file as it is at one moment, without what other processes have not committed, to a file that is not there yet.
 * Other processes go on with theirs; this thread waits.
 */
export function copySqlite(from: string, to: string): void {
  const file = new Libsql(from)
  try {
    file.pragma('busy_timeout = 5000')
    file.prepare('VACUUM INTO ?').run(to)
  } finally {
    file.close()
  }
  chmodSync(to, 0o600)
}

/** Rows of each table of the file, by name. @throws Error when the file is damaged. */
export function countSqliteRows(path: string): Record<string, number> {
  return withFile(path, (file) => {
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

function withFile<T>(path: string, work: (file: Libsql.Database) => T): T {
  const file = new Libsql(path, { readonly: true })
  try {
    return work(file)
  } finally {
    file.close()
  }
}

/** Hashes of the contents that files of the copy name, each once. */
export function listSqliteContents(path: string): string[] {
  return withFile(path, (file) => {
    const rows = file.prepare('SELECT DISTINCT sha256 FROM files WHERE sha256 IS NOT NULL').all() as { sha256: string }[]
    return rows.map(({ sha256 }) => sha256)
  })
}
