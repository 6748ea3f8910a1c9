import { formatBytes } from '../terminal/measures.ts'
import type { Manifest } from './manifest.ts'

/** What is in a backup, in a line. */
export function summaryOf({ started_at, tables, blobs, files }: Manifest): string {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  const bytes = files.reduce((sum, file) => sum + file.bytes, blobs.bytes)
  return `${rows} rows in ${Object.keys(tables).length} tables, ${blobs.count} blobs, ${formatBytes(bytes)}, as of ${started_at}`
}
