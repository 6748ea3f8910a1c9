import { defineTable, type RowOf } from '../table.ts'
import { lowCardinality, text } from './column-types.ts'

/** The value of each object version: immutable, addressed by digest inside its project. Written before the version that references it. */
export const objectValuesTable = defineTable({
  name: 'object_values',
  columns: {
    project_id: lowCardinality,
    digest: text,
    /** JSON text with references in the stored form. */
    val: text,
    idx: { type: 'JSON', codec: 'ZSTD(1)' },
    idx_gaps: lowCardinality,
    version: { type: 'UInt64', codec: 'Delta, ZSTD(1)' },
  },
  versionColumn: 'version',
  orderBy: '(project_id, digest)',
  shardingKey: 'cityHash64(project_id, digest)',
  settings: 'index_granularity=512',
})

export type ObjectValueRow = RowOf<typeof objectValuesTable>
