import type { AnnotationItemOrder } from '@heddle/core-api/types'
import type { Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Transaction } from 'kysely'

export interface LockedQueue {
  total_items: number
  completed_items: number
  reviewers_per_item: number
  reservation_minutes: number
  item_order: AnnotationItemOrder
  /** Null while the queue exists. */
  deleted_at: number | null
}

/**
 * Writes a queue without changing it. As the first statement of a transaction it makes all who change items of one queue wait for each
 * other on PostgreSQL, and takes the write lock on SQLite before anything is read. Undefined where the project has no such queue, deleted or not.
 */
export async function lockQueue(
  transaction: Transaction<Tables>,
  project: ProjectScope,
  queueId: string,
): Promise<LockedQueue | undefined> {
  const locked = await transaction
    .updateTable('annotation_queues')
    .set((set) => ({ total_items: set.ref('total_items') }))
    .where('project_id', '=', project.id)
    .where('id', '=', queueId)
    .returning(['total_items', 'completed_items', 'reviewers_per_item', 'reservation_minutes', 'item_order', 'deleted_at'])
    .executeTakeFirst()
  return locked && { ...locked, item_order: locked.item_order as AnnotationItemOrder }
}
