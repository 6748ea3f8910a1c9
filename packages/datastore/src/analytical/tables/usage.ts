import { defineTable, type RowOf } from '../table.ts'
import { derivedTtl } from './traces.ts'

const text = { type: 'String', codec: 'ZSTD(1)' } as const
const word = { type: 'LowCardinality(String)' } as const
const count = { type: 'Nullable(Int64)', codec: 'ZSTD(1)' } as const

/** One row per call and model whose usage counts, with what counts of it. Derived from calls: it can be dropped and computed again. */
export const usageTable = defineTable({
  name: 'usage',
  columns: {
    project_id: word,
    /** Of the call. */
    started_at: { type: 'DateTime64(6)', codec: 'Delta, ZSTD(1)' },
    call_id: text,
    model: word,
    trace_id: text,
    /** That of the trace; `''` for none. */
    thread_id: text,
    op_name: word,
    wb_user_id: word,
    input_tokens: count,
    output_tokens: count,
    cache_read_tokens: count,
    cache_write_tokens: count,
    reasoning_tokens: count,
    total_tokens: count,
    expire_at: { type: 'DateTime64(6)', codec: 'Delta, ZSTD(1)' },
    version: { type: 'UInt64', codec: 'Delta, ZSTD(1)' },
    is_deleted: { type: 'UInt8' },
  },
  versionColumn: 'version',
  deletedColumn: 'is_deleted',
  orderBy: '(project_id, started_at, call_id, model)',
  shardingKey: 'cityHash64(project_id, trace_id)',
  ttl: derivedTtl,
  settings: 'index_granularity=1024, merge_with_ttl_timeout=86400',
})

export type UsageRow = RowOf<typeof usageTable>
