import type { Condition } from '../calls/call-condition.ts'

/** What selects the calls that ran a version of an op, or took a version of another object as input, by its reference. */
export const conditionOfVersion = (ref: string, isOp: boolean): Condition =>
  isOp ? { path: 'op_name', operator: '=', value: ref } : { path: 'inputs', operator: 'contains', value: ref }
