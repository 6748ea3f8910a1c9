import type { Tables } from '@heddle/datastore'
import type { Transaction } from 'kysely'

/** Adds to the completed items that a queue counts. The queue is locked. */
export async function countFinished(transaction: Transaction<Tables>, queueId: string, change: number): Promise<void> {
  if (change === 0) return
  await transaction
    .updateTable('annotation_queues')
    .set((set) => ({ completed_items: set('completed_items', '+', change) }))
    .where('id', '=', queueId)
    .execute()
}
