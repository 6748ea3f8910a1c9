import type { AnnotationState } from '@heddle/core-api'
import type { ScopedDatabase, Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Transaction } from 'kysely'
import { readItems } from '../items/annotation-item-rows-store.sql.ts'
import type { AnnotationProgressStore, ProgressChange } from './annotation-progress-store.ts'
import { isStorable } from '../annotation-rows.ts'
import { claimItems } from './claim-items-store.sql.ts'
import { lockQueue } from '../queue-lock-store.sql.ts'

export function sqlAnnotationProgressStore(database: ScopedDatabase): AnnotationProgressStore {
  return {
    set: (project, change) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          const { queue_id, item_id, decide } = change
          const isKnown = isStorable(queue_id) && isStorable(item_id)
          if (isKnown) await lockQueue(transaction, project, queue_id)
          const isWritten = decide(isKnown ? await findOwn(transaction, project, change) : undefined)
          const item = isKnown ? (await readItems(transaction, project, [item_id])).get(item_id) : undefined
          if (item === undefined || item.queue_id !== queue_id) return undefined
          if (!isWritten) return item
          await writeOwn(transaction, project, change)
          await writeShown(transaction, change)
          return { ...item, annotation_state: change.to, annotator_user_id: change.annotator }
        }),

    claim: (project, claim) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          if (!isStorable(claim.queue_id)) return undefined
          const queue = await lockQueue(transaction, project, claim.queue_id)
          if (queue === undefined || queue.deleted_at !== null) return undefined
          const ids = await claimItems(transaction, project, claim)
          const items = await readItems(transaction, project, ids)
          return ids.flatMap((id) => items.get(id) ?? [])
        }),
  }
}

async function findOwn(
  transaction: Transaction<Tables>,
  project: ProjectScope,
  { item_id, annotator }: ProgressChange,
): Promise<AnnotationState | undefined> {
  const own = await transaction
    .selectFrom('annotation_progress')
    .select('annotation_state')
    .where('project_id', '=', project.id)
    .where('item_id', '=', item_id)
    .where('annotator_user_id', '=', annotator)
    .executeTakeFirst()
  return own?.annotation_state as AnnotationState | undefined
}

async function writeOwn(transaction: Transaction<Tables>, project: ProjectScope, { item_id, annotator, to, at }: ProgressChange) {
  await transaction
    .insertInto('annotation_progress')
    .values({ item_id, annotator_user_id: annotator, project_id: project.id, annotation_state: to, created_at: at, updated_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['item_id', 'annotator_user_id'])
        .doUpdateSet((set) => ({ annotation_state: set.ref('excluded.annotation_state'), updated_at: set.ref('excluded.updated_at') })),
    )
    .execute()
}

/** What an item shows is the state that was written last, and it is finished from the first end on. A finished item needs no claim. */
async function writeShown(transaction: Transaction<Tables>, { queue_id, item_id, annotator, to, at }: ProgressChange) {
  await transaction
    .updateTable('annotation_items')
    .set({ annotation_state: to, annotator_user_id: annotator })
    .where('id', '=', item_id)
    .execute()
  if (to === 'in_progress') return
  const { numUpdatedRows } = await transaction
    .updateTable('annotation_items')
    .set({ finished_at: at, claimed_by: null, claimed_until: null })
    .where('id', '=', item_id)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  await transaction
    .updateTable('annotation_queues')
    .set((set) => ({ completed_items: set('completed_items', '+', 1) }))
    .where('id', '=', queue_id)
    .execute()
}
