import type { ProjectScope } from '@heddle/identity'

/** The value of a table row: references in external form. */
export interface NewTableRow {
  digest: string
  /** JSON text of the row. */
  json: string
  /** Bytes of the text that the digest was taken over. */
  bytes: number
}

/** Values of table rows. They never change: a digest names one content. */
export interface TableRowsStore {
  /** Stores rows, or the same ones again. Resolves when all are durable and readable. */
  put(project: ProjectScope, rows: readonly NewTableRow[]): Promise<void>
  /** JSON texts by digest; digests without a row are omitted. The caller bounds how much is read together. */
  read(project: ProjectScope, digests: readonly string[]): Promise<Map<string, string>>
  /** Bytes of all rows in the text that digests are taken over; 0 without any. A row of several tables counts once. */
  totalBytes(project: ProjectScope): Promise<number>
}
