import { defineTable, type RowOf } from '../table.ts'
import { lowCardinality, text } from './column-types.ts'

/**
 * One row per feedback, and a tombstone once it is purged. Rows are immutable. In columns that are not nullable, `''` means none. A tombstone repeats
 * the indexed columns: key, time, type and trigger. A skipping index therefore keeps or skips both rows, never the deleted one alone.
 */
export const feedbackTable = defineTable({
  name: 'feedback',
  columns: {
    project_id: lowCardinality,
    /** Ref of the subject of the feedback. It precedes the id in the sort key, since the feedback of a page of calls is read in one query. */
    weave_ref: text,
    id: text,
    created_at: { type: 'DateTime64(6)', codec: 'Delta, ZSTD(1)' },
    creator: { type: 'Nullable(String)', codec: 'ZSTD(1)' },
    wb_user_id: lowCardinality,
    feedback_type: lowCardinality,
    /** The exact JSON text of an object. */
    payload: text,
    annotation_ref: text,
    runnable_ref: text,
    call_ref: text,
    trigger_ref: text,
    queue_id: text,
    scorer_tags: { type: 'Array(String)', codec: 'ZSTD(1)' },
    /** These five are JSON objects: reasons are strings; confidences and ratings are numbers from 0 to 1. */
    scorer_tag_reasons: text,
    scorer_tag_confidences: text,
    scorer_ratings: text,
    scorer_rating_reasons: text,
    scorer_rating_confidences: text,
    span_agent_name: lowCardinality,
    span_agent_version: lowCardinality,
    span_conversation_id: text,
    span_trace_id: text,
    span_status_code: lowCardinality,
    scorer_trace_id: text,
    version: { type: 'UInt64', codec: 'Delta, ZSTD(1)' },
    is_deleted: { type: 'UInt8' },
  },
  versionColumn: 'version',
  deletedColumn: 'is_deleted',
  // Not partitioned, so that an insert creates one part and is atomic.
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
