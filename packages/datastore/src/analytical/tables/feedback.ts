import { defineTable, type RowOf } from '../table.ts'

const text = { type: 'String', codec: 'ZSTD(1)' } as const
const word = { type: 'LowCardinality(String)' } as const

/**
 * One row per feedback, and a tombstone once it is purged. `''` means none if a column is not nullable. Rows are immutable. A tombstone repeats key,
 * time, type and trigger, so an index on these finds both rows or neither.
 */
export const feedbackTable = defineTable({
  name: 'feedback',
  columns: {
    project_id: word,
    /** The subject of the feedback. First in the sort key: a page of calls queries many of them together. */
    weave_ref: text,
    id: text,
    created_at: { type: 'DateTime64(6)', codec: 'Delta, ZSTD(1)' },
    creator: { type: 'Nullable(String)', codec: 'ZSTD(1)' },
    wb_user_id: word,
    feedback_type: word,
    /** The exact JSON text of an object. */
    payload: text,
    annotation_ref: text,
    runnable_ref: text,
    call_ref: text,
    trigger_ref: text,
    queue_id: text,
    scorer_tags: { type: 'Array(String)', codec: 'ZSTD(1)' },
    /** JSON objects: reasons are texts, confidences and ratings numbers from 0 to 1. */
    scorer_tag_reasons: text,
    scorer_tag_confidences: text,
    scorer_ratings: text,
    scorer_rating_reasons: text,
    scorer_rating_confidences: text,
    span_agent_name: word,
    span_agent_version: word,
    span_conversation_id: text,
    span_trace_id: text,
    span_status_code: word,
    scorer_trace_id: text,
    version: { type: 'UInt64', codec: 'Delta, ZSTD(1)' },
    is_deleted: { type: 'UInt8' },
  },
  versionColumn: 'version',
  deletedColumn: 'is_deleted',
  // No partitions: rows of one insert are one part, and so are written atomically.
  orderBy: '(project_id, weave_ref, id)',
  shardingKey: 'cityHash64(project_id, weave_ref)',
  indexes: [
    'INDEX by_id id TYPE bloom_filter(0.001) GRANULARITY 1',
    'INDEX by_time created_at TYPE minmax GRANULARITY 1',
    'INDEX by_type feedback_type TYPE set(16) GRANULARITY 1',
    'INDEX by_trigger trigger_ref TYPE bloom_filter(0.01) GRANULARITY 1',
  ],
  settings: 'index_granularity=512',
})

export type FeedbackRow = RowOf<typeof feedbackTable>
