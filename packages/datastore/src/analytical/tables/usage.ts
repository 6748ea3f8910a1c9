import { defineTable, type RowOf } from '../table.ts'
import { lowCardinality, text } from './column-types.ts'
import { expiryTtl } from './expiry-ttl.ts'

const count = { type: 'Nullable(Int64)', codec: 'ZSTD(1)' } as const

/** One row per call and model whose usage counts, with what counts of it. Derived from calls: it can be dropped and computed again. */
export const usageTable = defineTable({
  name: 'usage',
  columns: {
    project_id: lowCardinality,
    /** Start of the call. */
    started_at: { type: 'DateTime64(6)', codec: 'Delta, ZSTD(1)' },
    call_id: text,
    model: lowCardinality,
    trace_id: text,
    /** Thread of the trace; `''` for none. */
    thread_id: text,
    op_name: lowCardinality,
    wb_user_id: lowCardinality,
    input_tokens: count,
    output_tokens: count,
    cache_read_tokens: count,
    cache_write_tokens: count,
    reasoning_tokens: count,
    total_tokens: count,
    /** 1 where the call carries what it cost, and that in billionths of a dollar. */
    reported_costs: count,
    reported_nanos: count,
    /** Parts of the counts above that some models price separately. Null in rows that must be computed again. */
    cache_read_audio_tokens: count,
    cache_read_image_tokens: count,
    cache_write_1h_tokens: count,
    input_audio_tokens: count,
    input_image_tokens: count,
    output_audio_tokens: count,
    output_image_tokens: count,
    /** Size of the prompt where the row is of one request to a model, on which its prices may depend; 0 where it is not. */
    request_tokens: count,
    /** `''` for the plain service. */
    service_tier: lowCardinality,
    expire_at: { type: 'DateTime64(6)', codec: 'Delta, ZSTD(1)' },
    version: { type: 'UInt64', codec: 'Delta, ZSTD(1)' },
    is_deleted: { type: 'UInt8' },
  },
  added: [
    'reported_costs',
    'reported_nanos',
    'cache_write_1h_tokens',
    'input_audio_tokens',
    'input_image_tokens',
    'output_audio_tokens',
    'output_image_tokens',
    'request_tokens',
    'service_tier',
    'cache_read_audio_tokens',
    'cache_read_image_tokens',
  ],
  versionColumn: 'version',
  deletedColumn: 'is_deleted',
  orderBy: '(project_id, started_at, call_id, model)',
  shardingKey: 'cityHash64(project_id, trace_id)',
  ttl: expiryTtl,
  settings: 'index_granularity=1024, merge_with_ttl_timeout=86400',
})

export type UsageRow = RowOf<typeof usageTable>
