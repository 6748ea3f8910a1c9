import { defineTable, type RowOf } from '../table.ts'
import { lowCardinality, text } from './column-types.ts'
import { expiryTtl } from './expiry-ttl.ts'

const time = { type: 'DateTime64(6)', codec: 'ZSTD(1)' } as const
const texts = { type: 'Array(String)', codec: 'ZSTD(1)' } as const
const counts = { type: 'Array(Float64)', codec: 'ZSTD(1)' } as const
const count = { type: 'Nullable(Int64)', codec: 'ZSTD(1)' } as const

/**
 * One row per trace, derived from its calls: it can be dropped and computed again. A row whose trace has no calls left is deleted.
 */
export const tracesTable = defineTable({
  name: 'traces',
  columns: {
    project_id: lowCardinality,
    trace_id: text,
    /** The first start of a call, and the last one: between them lie the calls of the trace. */
    started_at: time,
    last_start_at: time,
    /** The last end; null while no call has ended. */
    ended_at: { type: 'Nullable(DateTime64(6))', codec: 'ZSTD(1)' },
    root_id: text,
    /** 1 where the root names a parent that is not in the trace. */
    is_parent_missing: { type: 'UInt8' },
    thread_id: text,
    /** 1 for a trace of spans that names a thread, if no call of it declares itself a turn. */
    is_turn: { type: 'UInt8' },
    /** Status of the root, which reflects errors below it. */
    status: lowCardinality,
    calls: count,
    errors: count,
    /** Ids of further roots: calls whose parents are not in the trace, or lead back to themselves. */
    orphans: texts,
    /** Ids of calls that succeeded, and below which another failed. */
    failed_above: texts,
    /** What counts, by model. */
    models: texts,
    /** Calls that used each model. */
    uses: counts,
    input_tokens: counts,
    output_tokens: counts,
    cache_read_tokens: counts,
    cache_write_tokens: counts,
    total_tokens: counts,
    /** Uses of each model that carry what they cost, and that in billionths of a dollar. */
    reported_costs: counts,
    reported_nanos: counts,
    /** Data that the rule cannot derive, as JSON. */
    notes: text,
    /** The last of the calls' expiries; 0 = never. */
    expire_at: time,
    /** When the first of the calls expires before others: the row must be rewritten then. 0 = never. */
    next_expiry_at: time,
    /** 1 where calls were written since, and the row and its usage are to follow. */
    is_behind: { type: 'UInt8' },
    version: { type: 'UInt64', codec: 'ZSTD(1)' },
    is_deleted: { type: 'UInt8' },
  },
  added: ['next_expiry_at', 'is_behind', 'reported_costs', 'reported_nanos'],
  versionColumn: 'version',
  deletedColumn: 'is_deleted',
  // No partitions: the rows of one insert are one part.
  orderBy: '(project_id, trace_id)',
  shardingKey: 'cityHash64(project_id, trace_id)',
  indexes: ['INDEX by_time started_at TYPE minmax GRANULARITY 1'],
  ttl: expiryTtl,
  settings: 'index_granularity=512, merge_with_ttl_timeout=86400',
})

export type TraceRow = RowOf<typeof tracesTable>
