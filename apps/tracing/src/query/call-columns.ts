/** Fields of a call that are typed columns. */
export const columnNames = [
  'id',
  'project_id',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'op_name',
  'display_name',
  'exception',
  'wb_user_id',
  'wb_run_id',
  'wb_run_step',
  'wb_run_step_end',
  'started_at',
  'ended_at',
  'deleted_at',
  'expire_at',
] as const

/** Fields of a call that are computed from columns, below `summary.weave`. */
export const computedNames = ['latency_ms', 'status', 'trace_name'] as const

export type ColumnName = (typeof columnNames)[number] | `summary.weave.${(typeof computedNames)[number]}`
