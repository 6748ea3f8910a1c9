import { ApiError } from '@heddle/core-api'

const allowed = [
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
  'inputs.*',
  'output.*',
  'attributes.*',
  'summary.*',
  'feedback.[type].*',
  'annotation_queue_items.queue_id',
]

/** 422 with a reason instead of a list of issues: the field has the right shape but is not one that can be asked for. */
export function refuseField(reason: string): ApiError {
  return new ApiError('invalid', reason)
}

/** 422: no call has this field, or it cannot be filtered and sorted by. */
export function refuseUnknownField(path: string): ApiError {
  return refuseField(`Field ${path} is not allowed. Allowed fields are: ${allowed.join(', ')}`)
}
