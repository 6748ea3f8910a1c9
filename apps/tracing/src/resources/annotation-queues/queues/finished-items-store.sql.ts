import type { Micros, Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Transaction } from 'kysely'

interface Finish {
  queue_id: string
  reviewers_per_item: number
  at: Micros
}

/** Finishes the items that as many people have reviewed as are needed now, makes the others open again, and counts them. The queue is locked. */
export async function finishItems(
  transaction: Transaction<Tables>,
  project: ProjectScope,
  { queue_id, reviewers_per_item, at }: Finish,
): Promise<void> {
  const items = transaction.updateTable('annotation_items').where('project_id', '=', project.id).where('queue_id', '=', queue_id)
  await items
    .set({ finished_at: at, claimed_by: null, claimed_until: null })
    .where('finished_at', 'is', null)
    .where('review_count', '>=', reviewers_per_item)
    .execute()
  await items.set({ finished_at: null }).where('finished_at', 'is not', null).where('review_count', '<', reviewers_per_item).execute()
  await transaction
    .updateTable('annotation_queues')
    .set((set) => ({
      completed_items: set
        .selectFrom('annotation_items')
        .select((count) => count.fn.countAll<number>().as('finished'))
        .where('queue_id', '=', queue_id)
        .where('finished_at', 'is not', null),
    }))
    .where('id', '=', queue_id)
    .execute()
}
