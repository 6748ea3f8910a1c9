import { defineTable, type RowOf } from '../table.ts'
import { lowCardinality, text } from './column-types.ts'

/** The values of table rows: immutable, addressed by digest inside the project, and shared by all tables with that row. */
export const tableRowsTable = defineTable({
  name: 'table_rows',
  columns: {
    project_id: lowCardinality,
    digest: text,
    /** JSON text with references in the stored form. */
    val: text,
    /** Bytes of the value in the canonical text that is hashed. */
    val_bytes: { type: 'UInt64', codec: 'ZSTD(1)' },
    version: { type: 'UInt64', codec: 'Delta, ZSTD(1)' },
  },
  versionColumn: 'version',
  orderBy: '(project_id, digest)',
  shardingKey: 'cityHash64(project_id, digest)',
  // The rows of a page are spread over the order of digests, so granules must be small.
  settings: 'index_granularity=64, index_granularity_bytes=131072, min_compress_block_size=8192',
})

export type TableRow = RowOf<typeof tableRowsTable>
