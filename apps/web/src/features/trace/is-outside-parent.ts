import type { TreeCall, TreeNode } from '@heddle/trace-model'

/** Clocks of spans are read to the millisecond, and rounded: so much later than its parent is not outside of it. */
const roundingMs = 2

/** Whether a call is outside the time of its parent: their clocks differ, or it continued after its parent. Times are in milliseconds. */
export function isOutsideParent<T extends TreeCall>({ call, parent }: TreeNode<T>): boolean {
  if (parent === undefined) return false
  if (call.startedAt < parent.call.startedAt - roundingMs) return true
  return parent.call.endedAt !== null && (call.endedAt ?? call.startedAt) > parent.call.endedAt + roundingMs
}
