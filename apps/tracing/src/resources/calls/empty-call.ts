import type { CallRow } from '@heddle/datastore'
import { emptyIndex } from '../../query/build-index.ts'

/** A call of which nothing has arrived yet. */
export function emptyCall(key: { project_id: string; id: string }): CallRow {
  return {
    project_id: key.project_id,
    started_at: 0,
    id: key.id,
    trace_id: '',
    parent_id: '',
    thread_id: null,
    turn_id: null,
    op_name: '',
    op_short_name: '',
    display_name: '',
    start_display_name: '',
    ended_at: null,
    exception: null,
    status: '',
    attributes: '{}',
    inputs: '{}',
    output: 'null',
    summary: '{}',
    otel: '',
    storage_size_bytes: 0n,
    input_refs: [],
    output_refs: [],
    wb_user_id: '',
    wb_run_id: '',
    wb_run_step: null,
    wb_run_step_end: null,
    ...emptyIndex,
    expire_at: 0,
    deleted_at: null,
    has_start: 0,
    version: 0n,
    is_deleted: 0,
  }
}
