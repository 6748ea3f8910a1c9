import { parentsFirst, type TreeNode } from '@heddle/trace-model'
import type { TraceCall } from '../trace-queries.ts'
import type { ModelRequest } from './model-calls.ts'

/** The latest request to a model below a call, whose messages show the call's outcome; undefined if there is none. */
export function lastRequestBelow(node: TreeNode<TraceCall>, requests: readonly ModelRequest[]): ModelRequest | undefined {
  const below = new Set(parentsFirst([node]).map(({ call }) => call.id))
  below.delete(node.call.id)
  return requests.findLast((request) => request.some(({ id }) => below.has(id)))
}
