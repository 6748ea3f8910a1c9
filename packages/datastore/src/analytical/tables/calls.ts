import { granuleBytes } from './part-settings.ts'
import { defineTable, type RowOf } from '../table.ts'
import { lowCardinality, text } from './column-types.ts'
import { expiryTtl } from './expiry-ttl.ts'
import { kindWordsColumn } from './kind-words-column.ts'
import { mayNameSpansColumn } from './may-name-spans-column.ts'
import { responseIdColumn } from './response-id-column.ts'
import { serviceTierColumn } from './service-tier-column.ts'
import { spanScopeColumn } from './span-scope-column.ts'
import { trialOfColumn } from './trial-of-column.ts'
import { usageColumn } from './usage-column.ts'

const time = { type: 'DateTime64(6)', codec: 'Delta, ZSTD(1)' } as const

/**
 * One row per version of a call; the highest version of a key is the call. `''` means none where a column is not nullable.
 * `inputs`, `output`, `attributes`, `summary` and `otel` hold the exact JSON text; `idx` is a bounded copy for filters and sorts,
 * and `usage` one of the summary's token counts for statistics.
 */
export const callsTable = defineTable({
  name: 'calls',
  columns: {
    project_id: lowCardinality,
    started_at: time,
    id: text,
    trace_id: text,
    parent_id: text,
    thread_id: { type: 'Nullable(String)', codec: 'ZSTD(1)' },
    turn_id: { type: 'Nullable(String)', codec: 'ZSTD(1)' },
    op_name: lowCardinality,
    /** Name part of the op ref, or the plain op name. */
    op_short_name: lowCardinality,
    display_name: text,
    /** The display name in the start: a repeated start does not undo a later rename. */
    start_display_name: text,
    ended_at: { type: 'Nullable(DateTime64(6))', codec: 'Delta, ZSTD(1)' },
    exception: { type: 'Nullable(String)', codec: 'ZSTD(1)' },
    /** `success`, `error`, `running` or `descendant_error`, derived when the row is written. */
    status: lowCardinality,
    attributes: text,
    inputs: text,
    output: text,
    summary: text,
    /** The raw span of a call from OpenTelemetry, with markers for values that are also in inputs, output or attributes. */
    otel: text,
    /** Bytes of attributes, inputs, output and summary. */
    storage_size_bytes: { type: 'UInt64', codec: 'ZSTD(1)' },
    input_refs: { type: 'Array(String)', codec: 'ZSTD(1)' },
    output_refs: { type: 'Array(String)', codec: 'ZSTD(1)' },
    wb_user_id: lowCardinality,
    wb_run_id: lowCardinality,
    wb_run_step: { type: 'Nullable(Int64)', codec: 'ZSTD(1)' },
    wb_run_step_end: { type: 'Nullable(Int64)', codec: 'ZSTD(1)' },
    /**
     * Scalar leaves of the payloads as text, under `in`, `out`, `attr` and `sum`, and under `span` and `res` those of the attributes of the raw span and of
     * its resource.
     */
    idx: { type: 'JSON', codec: 'ZSTD(1)' },
    /**
     * Paths at which `idx` left something out, as `|+|in.messages|out.choices|`; `*` when there are too many to list. Without the `+` the row was written
     * before the raw span was indexed. `=gen_ai`: what the span has in common with `attr` is in `idx` only there.
     */
    idx_gaps: lowCardinality,
    /**
     * Facts in the start of a call that the rules of evaluation results read, as JSON (`eval-call-facts.ts` of the tracing service). `''` in rows
     * written before the column existed, and for calls without a start.
     */
    eval_marks: lowCardinality,
    /** Tokens over all models in the summary; null if it has none. */
    total_tokens: { type: 'Nullable(Int64)', codec: 'ZSTD(1)' },
    /** Digest of the row of a dataset that a predict-and-score call is about; `''` of other calls. */
    trial_row: text,
    /** Where a predict-and-score call has scores, and of which kinds, as JSON; `*` for too many; `''` of other calls. */
    score_shape: lowCardinality,
    /** The scores in the order of the shape: a boolean is 1 or 0, a text 0. */
    score_values: { type: 'Array(Float64)', codec: 'ZSTD(1)' },
    /** 0 = never. */
    expire_at: time,
    deleted_at: { type: 'Nullable(DateTime64(6))', codec: 'ZSTD(1)' },
    /** 0 while only an end or an update has arrived; such a call is hidden. */
    has_start: { type: 'UInt8' },
    version: { type: 'UInt64', codec: 'Delta, ZSTD(1)' },
    is_deleted: { type: 'UInt8' },
  },
  added: ['eval_marks', 'total_tokens', 'trial_row', 'score_shape', 'score_values'],
  derived: {
    usage: usageColumn,
    trial_of: trialOfColumn,
    may_name_spans: mayNameSpansColumn,
    kind_words: kindWordsColumn,
    span_scope: spanScopeColumn,
    response_id: responseIdColumn,
    service_tier: serviceTierColumn,
  },
  versionColumn: 'version',
  deletedColumn: 'is_deleted',
  partitionBy: 'toYYYYMM(started_at)',
  orderBy: '(project_id, started_at, id)',
  shardingKey: 'cityHash64(project_id, trace_id)',
  indexes: [
    'INDEX by_id id TYPE bloom_filter(0.001) GRANULARITY 1',
    'INDEX by_trace trace_id TYPE bloom_filter(0.001) GRANULARITY 1',
    // A page of results queries the calls below 200 parents together, so each of them needs a lower error rate.
    'INDEX by_parent parent_id TYPE bloom_filter(0.0001) GRANULARITY 1',
  ],
  ttl: expiryTtl,
  // Half of the work on a row is merging: a base of 10, not 5, rewrites each row less often. The rows of one insert
  // are a compact part, which costs less to write than a wide one, and more to read. Dropping expired rows rewrites their part: once a day at most.
  settings: `index_granularity=512, index_granularity_bytes=${granuleBytes}, merge_selector_base=10, min_bytes_for_wide_part=25165824, merge_with_ttl_timeout=86400`,
})

export type CallRow = RowOf<typeof callsTable>
