import type { AnnotationState } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'

/** What an item keeps of its call. */
export interface CallCopy {
  call_id: string
  call_started_at: Micros
  /** Null where the call was running. */
  call_ended_at: Micros | null
  /** `''` if there was none. */
  call_op_name: string
  call_trace_id: string
}

/** An item as it is stored, with the state that an annotator set last. */
export interface StoredItem extends CallCopy {
  /** UUID; grows with time. */
  id: string
  project_id: string
  queue_id: string
  display_fields: string[]
  added_by: string
  created_by: string
  created_at: Micros
  updated_at: Micros
  annotation_state: AnnotationState
  /** `''` until a state has been set. */
  annotator_user_id: string
  /** State of the requesting annotator; `unstarted` without one. */
  own_state: AnnotationState
  /** Annotators who completed or skipped the item. */
  review_count: number
  /** Who holds the item until `claimed_until`; null if it is not claimed. */
  claimed_by: string | null
  claimed_until: Micros | null
}

/** An item with its position, from 1, in an order. */
export interface PlacedItem {
  item: StoredItem
  position: number
}

export const itemSortFields = ['call_started_at', 'call_op_name', 'created_at', 'updated_at'] as const
export const itemFilterFields = ['id', 'call_id', 'call_op_name', 'call_trace_id', 'added_by'] as const

/** One key of an order of items. */
export interface ItemSortKey {
  /** `random_digits`: those of the id. */
  field: (typeof itemSortFields)[number] | 'id' | 'random_digits'
  direction: 'asc' | 'desc'
}

/** Which items; all parts must hold. */
export interface ItemsMatch {
  /** Exact values; absent: any. */
  fields: Partial<Record<(typeof itemFilterFields)[number], string>>
  /** Any of these; empty: any. This and the following filters do not change positions. */
  states: readonly string[]
  /** Annotator with a state of the item; null: any, or none. */
  annotatedBy: string | null
  /** Whether enough users have reviewed the item; null: either. */
  isFinished: boolean | null
}

export interface ItemsSelection extends ItemsMatch {
  queue_id: string
  /** Whose `own_state` is read. */
  caller: string
  /** A complete order: no two items are equal in all keys. */
  order: readonly ItemSortKey[]
  limit: number
  offset: number
}

/** An item, and a filter for its neighbors. */
export interface BesideSelection extends ItemsMatch {
  queue_id: string
  item_id: string
  /** Whose `own_state` is read. */
  caller: string
  /** A complete order whose keys all have one direction. */
  order: readonly ItemSortKey[]
}

/** The neighbors of an item; null at an end. */
export interface ItemsBeside {
  /** Position of the item among all of its queue, from 1. */
  position: number
  previous: StoredItem | null
  next: StoredItem | null
}

/** Calls to add to a queue. */
export interface NewItems {
  queue_id: string
  /** Ids of calls, each once. Ids that are neither in `calls` nor in the queue are unknown. */
  call_ids: readonly string[]
  calls: ReadonlyMap<string, CallCopy>
  display_fields: readonly string[]
  added_by: string
  at: Micros
}

/** The outcome for calls that were to be added. */
export interface AddedItems {
  added: number
  /** Calls of the request that were in the queue before. */
  known: number
}

/** Storage of queue items. Items of deleted queues remain. */
export interface AnnotationItemsStore {
  /**
   * Adds calls in their order: all or none. Undefined where the project has no such queue.
   * @throws 400 where the queue would have more than 50,000 items
   */
  add(project: ProjectScope, items: NewItems): Promise<AddedItems | undefined>
  /** The selected items in their order; none of an unknown queue. */
  select(project: ProjectScope, selection: ItemsSelection): Promise<PlacedItem[]>
  /** The items next to an item in an order. Undefined where the queue has no such item. */
  beside(project: ProjectScope, selection: BesideSelection): Promise<ItemsBeside | undefined>
  /** The calls that are items of some queues, by queue; queues without items are omitted. */
  callsOf(project: ProjectScope, queueIds: readonly string[]): Promise<Map<string, string[]>>
}
