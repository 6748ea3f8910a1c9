import { statSync } from 'node:fs'
import Libsql from 'libsql'
import { StoreError } from '../../work/store-error.ts'

/**
 * Runs `work` on a connection that changes neither the file nor its log. A writable connection changes them even if it only reads: when it closes,
 * SQLite moves the log to the file, up to its first damaged frame, and removes it.
 * @throws StoreError `damaged` for an empty file, whose log SQLite would remove
 */
export function readSqlite<T>(path: string, work: (file: Libsql.Database) => T): T {
  if (statSync(path).size === 0) throw new StoreError('damaged', `the relational database ${path} is empty`)
  // The driver ignores its option `readonly`; the mode of a URI holds.
  const file = new Libsql(`file:${path.split('/').map(encodeURIComponent).join('/')}?mode=ro`)
  try {
    file.pragma('busy_timeout = 5000')
    return work(file)
  } finally {
    file.close()
  }
}
