import Libsql from 'libsql'

/**
 * Runs `work` on a connection that changes neither the file nor its log. A connection that may write does even where it only reads: when it closes,
 * SQLite moves the log to the file, up to its first damaged frame, and removes it.
 */
export function readSqlite<T>(path: string, work: (file: Libsql.Database) => T): T {
  // The driver ignores its option `readonly`; the mode of a URI holds.
  const file = new Libsql(`file:${path.split('/').map(encodeURIComponent).join('/')}?mode=ro`)
  try {
    file.pragma('busy_timeout = 5000')
    return work(file)
  } finally {
    file.close()
  }
}
