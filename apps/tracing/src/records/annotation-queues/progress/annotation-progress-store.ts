import type { AnnotationState } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { StoredItem } from '../items/annotation-items-store.ts'

/** One annotator's state for one item, to be set. */
export interface ProgressChange {
  queue_id: string
  item_id: string
  annotator: string
  to: SetState
  at: Micros
  /**
   * Called with the annotator's own state, undefined without any, while no other writer can change it. Returns true if the state is to be written. An
   * error thrown by it aborts the change.
   */
  decide(own: AnnotationState | undefined): boolean
}

/** States that an annotator can set. */
export type SetState = Exclude<AnnotationState, 'unstarted'>

export interface Claim {
  queue_id: string
  caller: string
  /** Claims that end at or before it are over. */
  now: Micros
  /** Null: as long as a claim of the queue holds. */
  lease_seconds: number | null
  limit: number
}

/** A claim of one item that is named. */
export interface ItemClaim extends Omit<Claim, 'limit'> {
  item_id: string
}

/** Storage of annotators' progress. */
export interface AnnotationProgressStore {
  /** Sets the state of an annotator. The item afterwards; undefined where the queue, deleted or not, has no such item. @throws what `decide` throws */
  set(project: ProjectScope, change: ProgressChange): Promise<StoredItem | undefined>
  /**
   * Claims the first items, in the order of the queue, that are not finished, not reviewed by the caller, not in progress by another annotator and
   * not held by another caller; items already held by the caller are first. No two callers hold one item. Undefined if the project has no such queue.
   */
  claim(project: ProjectScope, claim: Claim): Promise<StoredItem[] | undefined>
  /**
   * Claims one item, also where the caller holds it already, under the conditions of `claim`; the item afterwards, and whether it was claimed.
   * Undefined where the project has no such queue, or the queue no such item.
   */
  claimOne(project: ProjectScope, claim: ItemClaim): Promise<{ item: StoredItem; isClaimed: boolean } | undefined>
  /** Ends the caller's claim of an item, if there is one. The item afterwards; undefined where the queue, deleted or not, has no such item. */
  release(project: ProjectScope, held: Pick<ItemClaim, 'queue_id' | 'item_id' | 'caller'>): Promise<StoredItem | undefined>
}
