import type { CallsFilter } from '@heddle/core-api'

/** The filter that all calls pass. */
export const noCallsFilter: CallsFilter = {
  op_names: null,
  input_refs: null,
  output_refs: null,
  parent_ids: null,
  trace_ids: null,
  call_ids: null,
  thread_ids: null,
  turn_ids: null,
  trace_roots_only: null,
  wb_user_ids: null,
  wb_run_ids: null,
}
