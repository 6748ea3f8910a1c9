import { defineTable, type RowOf } from '../table.ts'
import { lowCardinality, text } from './column-types.ts'

/**
 * The calls of deletions that cover a part of a trace, and the feedback of large purges, each under the id of its deletion, while they are removed.
 * They are hidden once the relational store has the deletion, and these rows are deleted when it has ended.
 */
export const deletedCallsTable = defineTable({
  name: 'deleted_calls',
  columns: {
    project_id: lowCardinality,
    deletion_id: lowCardinality,
    /** Id of the call or the feedback. */
    call_id: text,
    /** `''` for feedback. */
    trace_id: text,
    /** When the row was written, in microseconds. */
    version: { type: 'UInt64', codec: 'Delta, ZSTD(1)' },
  },
  versionColumn: 'version',
  orderBy: '(project_id, deletion_id, call_id)',
  shardingKey: 'cityHash64(project_id, trace_id)',
})

export type DeletedCallRow = RowOf<typeof deletedCallsTable>
