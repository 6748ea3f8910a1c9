import { defineTable, type RowOf } from '../table.ts'
import { lowCardinality, text } from './column-types.ts'

const whole = { type: 'UInt64', codec: 'Delta, ZSTD(1)' } as const

/** Row digests per chunk; the last chunk of a table may have fewer. */
export const digestsPerChunk = 1_000

/**
 * The row digests of tables in chunks: immutable, addressed by digest inside the project. A table is complete when its chunks
 * together have `row_count` digests; a table without rows has one chunk without digests.
 */
export const tablesTable = defineTable({
  name: 'tables',
  columns: {
    project_id: lowCardinality,
    digest: text,
    /** Position of the chunk's first digest in the table; a multiple of `digestsPerChunk`. */
    start: whole,
    row_digests: { type: 'Array(String)', codec: 'ZSTD(1)' },
    /** Number of digests of the whole table. */
    row_count: whole,
    version: whole,
  },
  versionColumn: 'version',
  orderBy: '(project_id, digest, start)',
  shardingKey: 'cityHash64(project_id, digest)',
  // A page of rows needs one chunk of about 40 KB.
  settings: 'index_granularity=16',
})

export type TableChunkRow = RowOf<typeof tablesTable>
