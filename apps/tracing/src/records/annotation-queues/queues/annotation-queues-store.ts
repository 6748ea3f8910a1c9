import type { AnnotationItemOrder } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'

/** A queue as it is stored. */
export interface StoredQueue {
  /** UUID; grows with time. */
  id: string
  project_id: string
  name: string
  description: string
  scorer_refs: string[]
  /** Users who must complete or skip an item before it is finished. */
  reviewers_per_item: number
  reservation_minutes: number
  item_order: AnnotationItemOrder
  created_by: string
  created_at: Micros
  updated_at: Micros
  /** Null while the queue exists. */
  deleted_at: Micros | null
}

/** New values of fields. Absent: unchanged. */
export type QueueChanges = Partial<
  Pick<StoredQueue, 'name' | 'description' | 'scorer_refs' | 'reviewers_per_item' | 'reservation_minutes' | 'item_order'>
>

export const queueSortFields = ['id', 'name', 'created_at', 'updated_at'] as const

/** One key of an order of queues. */
export interface QueueSortKey {
  field: (typeof queueSortFields)[number]
  direction: 'asc' | 'desc'
}

export interface QueuesSelection {
  /** Only queues with it in their name, in any case; `''`: all. */
  name: string
  /** A complete order: no two queues are equal in all keys. */
  order: readonly QueueSortKey[]
  /** At most as many; null: all. */
  limit: number | null
  offset: number
}

/** Counts of the items of a queue. */
export interface QueueCounts {
  total_items: number
  completed_items: number
}

/** Storage of the queues themselves. Only `counts` sees deleted queues. */
export interface AnnotationQueuesStore {
  /** Number of queues of the project. */
  count(project: ProjectScope): Promise<number>
  insert(project: ProjectScope, queue: StoredQueue): Promise<void>
  /** Undefined where the project has no such queue. */
  find(project: ProjectScope, id: string): Promise<StoredQueue | undefined>
  /** Changes fields and sets `updated_at`; items are finished by the new `reviewers_per_item` from then on. The queue afterwards; undefined where the project has no such queue. */
  update(project: ProjectScope, id: string, changes: QueueChanges & { at: Micros }): Promise<StoredQueue | undefined>
  /** The deleted queue; undefined where the project has no such queue. */
  delete(project: ProjectScope, id: string, at: Micros): Promise<StoredQueue | undefined>
  /** The selected queues, in blocks. A queue that is deleted while they are read may be missing. */
  select(project: ProjectScope, selection: QueuesSelection): AsyncIterable<StoredQueue[]>
  /** Counts by id; ids that are not queues of the project are omitted. */
  counts(project: ProjectScope, ids: readonly string[]): Promise<Map<string, QueueCounts>>
}
