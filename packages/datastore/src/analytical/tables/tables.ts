import { defineTable, type RowOf } from '../table.ts'

const text = { type: 'String', codec: 'ZSTD(1)' } as const
const whole = { type: 'UInt64', codec: 'Delta, ZSTD(1)' } as const

/** Row digests in one row of the store, but for the last one of a table. */
export const digestsPerChunk = 1_000

/**
 * The row digests of tables in chunks: immutable, addressed by digest inside the project. A table is there when its chunks
 * together have `row_count` digests; a table without rows has one chunk without digests.
 */
export const tablesTable = defineTable({
  name: 'tables',
  columns: {
    project_id: { type: 'LowCardinality(String)' },
    digest: text,
    /** Position in the table of the first digest of the chunk; a multiple of `digestsPerChunk`. */
    start: whole,
    row_digests: { type: 'Array(String)', codec: 'ZSTD(1)' },
    /** Digests of the whole table. */
    row_count: whole,
    version: whole,
  },
  versionColumn: 'version',
  orderBy: '(project_id, digest, start)',
  shardingKey: 'cityHash64(project_id, digest)',
  // A page of rows needs one chunk, which is some 40 KB.
  settings: 'index_granularity=16',
})

export type TableChunkRow = RowOf<typeof tablesTable>
