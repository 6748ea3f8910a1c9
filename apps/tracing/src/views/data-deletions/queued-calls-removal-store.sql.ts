import { inParts, type ScopedDatabase } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { lockQueue } from '../../records/annotation-queues/queue-lock-store.sql.ts'
import type { QueuedCallsRemovalStore } from './queued-calls-removal-store.ts'

export function sqlQueuedCallsRemovalStore(database: ScopedDatabase): QueuedCallsRemovalStore {
  const itemsOf = (project: ProjectScope, callIds: readonly string[]) =>
    database
      .of(project)
      .selectFrom('annotation_items')
      .select(['id', 'queue_id'])
      .where('queue_id', 'in', (queues) => queues.selectFrom('annotation_queues').select('id').where('project_id', '=', project.id))
      .where('call_id', 'in', [...callIds])
      .execute()

  /** Items that went meanwhile are not counted twice. */
  async function removeOfQueue(project: ProjectScope, queueId: string, ids: readonly string[]): Promise<number> {
    return database
      .of(project)
      .transaction()
      .execute(async (transaction) => {
        await lockQueue(transaction, project, queueId)
        await transaction
          .deleteFrom('annotation_progress')
          .where('item_id', 'in', [...ids])
          .execute()
        const removed = await transaction
          .deleteFrom('annotation_items')
          .where('id', 'in', [...ids])
          .returning('finished_at')
          .execute()
        const finished = removed.filter(({ finished_at }) => finished_at !== null).length
        await transaction
          .updateTable('annotation_queues')
          .set((set) => ({
            total_items: set('total_items', '-', removed.length),
            completed_items: set('completed_items', '-', finished),
          }))
          .where('id', '=', queueId)
          .execute()
        return removed.length
      })
  }

  return {
    async count(project, callIds) {
      let count = 0
      for (const some of inParts(callIds)) count += (await itemsOf(project, some)).length
      return count
    },

    async countAll(project) {
      const { count } = await database
        .of(project)
        .selectFrom('annotation_items')
        .where('project_id', '=', project.id)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async remove(project, callIds) {
      let removed = 0
      for (const some of inParts(callIds)) {
        const items = await itemsOf(project, some)
        for (const queueId of new Set(items.map(({ queue_id }) => queue_id))) {
          const ids = items.flatMap(({ id, queue_id }) => (queue_id === queueId ? [id] : []))
          for (const part of inParts(ids)) removed += await removeOfQueue(project, queueId, part)
        }
      }
      return removed
    },
  }
}
