import { ApiError } from '@heddle/core-api'
import { columnNames } from './read/read-column.ts'

const allowed = [
  ...columnNames,
  'inputs.*',
  'output.*',
  'attributes.*',
  'summary.*',
  'feedback.[type].*',
  'annotation_queue_items.queue_id',
]

/** 422 with a reason instead of a list of issues: the field has the right shape but cannot be queried. */
export function refuseField(reason: string): ApiError {
  return new ApiError('invalid', reason)
}

/** 422: no call has this field, or it cannot be filtered and sorted by. */
export function refuseUnknownField(path: string): ApiError {
  return refuseField(`Field ${path} is not allowed. Allowed fields are: ${allowed.join(', ')}`)
}
