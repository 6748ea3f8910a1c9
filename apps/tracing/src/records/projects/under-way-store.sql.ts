import type { ScopedDatabase } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { UnderWayStore } from './under-way.ts'

/** Open items with a review that are looked at for those of one user. */
const maxReviewed = 10_000

export function sqlUnderWayStore(database: ScopedDatabase): UnderWayStore {
  /** Queues count their items, so that no item is read. */
  async function open(project: ProjectScope): Promise<number> {
    const row = await database
      .of(project)
      .selectFrom('annotation_queues')
      .select((queue) => queue.fn.sum(queue('total_items', '-', queue.ref('completed_items'))).as('items'))
      .where('project_id', '=', project.id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    return Number(row?.items ?? 0)
  }

  /** Items that wait for the reviews of others alone. An item that needs one review ends with it. */
  async function reviewed(project: ProjectScope, userId: string): Promise<number> {
    const db = database.of(project)
    const looked = db
      .selectFrom('annotation_queues')
      .innerJoin('annotation_items', 'annotation_items.queue_id', 'annotation_queues.id')
      .select('annotation_items.id')
      .where('annotation_queues.project_id', '=', project.id)
      .where('annotation_queues.deleted_at', 'is', null)
      .where('annotation_queues.reviewers_per_item', '>', 1)
      .where('annotation_items.finished_at', 'is', null)
      .where('annotation_items.review_count', '>', 0)
      .limit(maxReviewed)
      .as('looked')
    const row = await db
      .selectFrom(looked)
      .innerJoin('annotation_progress', 'annotation_progress.item_id', 'looked.id')
      .select((item) => item.fn.countAll().as('items'))
      .where('annotation_progress.annotator_user_id', '=', userId)
      .where('annotation_progress.annotation_state', 'in', ['completed', 'skipped'])
      .executeTakeFirst()
    return Number(row?.items ?? 0)
  }

  return {
    async itemsLeft(project, userId) {
      const [all, own] = await Promise.all([open(project), reviewed(project, userId)])
      return Math.max(0, all - own)
    },
  }
}
