import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Deletion } from '../../../deletions/deletions-store.ts'
import type { CallPlace } from '../calls-store.ts'
import type { HashedNode } from './marked-descendants.ts'

/** A call of a trace, with the hash by which its descendants were marked. */
export interface NamedNode {
  id: string
  trace_id: string
  hash: HashedNode['hash']
}

/** Position of a call that is to be removed. */
export interface CallPosition {
  started_micros: Micros
  id: string
}

/** A part of the calls of a deletion, in the order of their starts. */
export interface RemovedPart {
  /** Of calls after this position. Null: from the first. */
  after: CallPosition | null
  limit: number
}

/** How a large deletion finds its calls, and its data in the analytical store. */
export interface CallRemovalStore {
  /** The traces in which a call other than the given ones has no parent: they are not deleted as a whole. */
  tracesWithOtherRoots(project: ProjectScope, traceIds: readonly string[], ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Calls that readers see of some traces; `ids` are given ones. Hashes of one key are equal where ids are; two ids may have the same. */
  hashedNodes(
    project: ProjectScope,
    traceIds: readonly string[],
    marking: { ids: readonly string[]; key: number },
  ): AsyncIterable<readonly HashedNode[]>
  namedNodes(project: ProjectScope, traceIds: readonly string[], key: number): AsyncIterable<readonly NamedNode[]>
  /** Lists calls for a deletion: readers see them until the deletion has begun. Resolves when they are durable. */
  list(project: ProjectScope, deletionId: string, calls: readonly Pick<NamedNode, 'id' | 'trace_id'>[]): Promise<void>
  unlist(project: Pick<ProjectScope, 'id'>, deletionId: string): Promise<void>
  /** Where calls of a deletion are that are still there, the earliest first. */
  remaining(project: ProjectScope, deletion: Deletion, part: RemovedPart): Promise<CallPosition[]>
  /** Latest versions of calls that started between two of a part, of those whose ids are given. */
  placesOf(project: ProjectScope, deletion: Deletion, part: readonly CallPosition[]): Promise<CallPlace[]>
  /** Recomputes the rows derived from the traces. */
  settle(project: Pick<ProjectScope, 'id'>, traceIds: readonly string[]): Promise<void>
}
