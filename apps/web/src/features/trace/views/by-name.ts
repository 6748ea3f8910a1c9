import type { TreeNode } from '@heddle/trace-model'
import type { TraceCall } from '../trace-queries.ts'

/** Properties of a view of a trace that adds up calls by name. */
export interface ByName {
  roots: readonly TreeNode<TraceCall>[]
  /** Ids of the calls that used a model themselves. */
  modelCalls: ReadonlySet<string> | undefined
  selected: string
  onSelect: (id: string) => void
  /** Shows the calls of a name in the timeline. */
  onFind: (name: string) => void
}
