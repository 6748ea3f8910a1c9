import type { AnnotationState } from '@heddle/core-api/types'
import type { ScopedDatabase, Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Transaction } from 'kysely'
import { readItems } from '../items/annotation-item-rows-store.sql.ts'
import type { StoredItem } from '../items/annotation-items-store.ts'
import type { AnnotationProgressStore, ProgressChange } from './annotation-progress-store.ts'
import { isStorable } from '../annotation-rows.ts'
import { countFinished } from '../count-finished-store.sql.ts'
import { claimItem, claimItems, releaseItem } from './claim-items-store.sql.ts'
import { isReview } from './next-progress.ts'
import { type LockedQueue, lockQueue } from '../queue-lock-store.sql.ts'

export function sqlAnnotationProgressStore(database: ScopedDatabase): AnnotationProgressStore {
  return {
    set: (project, change) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          const { queue_id, item_id, decide } = change
          const isKnown = isStorable(queue_id) && isStorable(item_id)
          const queue = isKnown ? await lockQueue(transaction, project, queue_id) : undefined
          const own = isKnown ? await findOwn(transaction, project, change) : undefined
          const isWritten = decide(own)
          const read = () => readOne(transaction, project, { queue_id, item_id, caller: change.annotator })
          const item = isKnown ? await read() : undefined
          if (queue === undefined || item === undefined) return undefined
          if (!isWritten) return item
          await writeOwn(transaction, project, change)
          await writeShown(transaction, change)
          if (change.to !== 'in_progress') await addReview(transaction, change, { item, queue })
          else if (isReview(own)) await takeReview(transaction, change, { item, queue })
          return read()
        }),

    claim: (project, claim) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          if (!isStorable(claim.queue_id)) return undefined
          const queue = await lockQueue(transaction, project, claim.queue_id)
          if (queue === undefined || queue.deleted_at !== null) return undefined
          const ids = await claimItems(transaction, project, { ...claim, queue })
          const items = await readItems(transaction, project, { ids, caller: claim.caller })
          return ids.flatMap((id) => items.get(id) ?? [])
        }),

    claimOne: (project, claim) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          if (!isStorable(claim.queue_id) || !isStorable(claim.item_id)) return undefined
          const queue = await lockQueue(transaction, project, claim.queue_id)
          if (queue === undefined || queue.deleted_at !== null) return undefined
          const isClaimed = await claimItem(transaction, project, { ...claim, queue })
          const item = await readOne(transaction, project, claim)
          return item && { item, isClaimed }
        }),

    release: (project, held) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          if (!isStorable(held.queue_id) || !isStorable(held.item_id)) return undefined
          await lockQueue(transaction, project, held.queue_id)
          await releaseItem(transaction, project, held)
          return readOne(transaction, project, held)
        }),
  }
}

interface NamedItem {
  queue_id: string
  item_id: string
  caller: string
}

/** Undefined where the queue has no such item. */
async function readOne(
  transaction: Transaction<Tables>,
  project: ProjectScope,
  { queue_id, item_id, caller }: NamedItem,
): Promise<StoredItem | undefined> {
  const item = (await readItems(transaction, project, { ids: [item_id], caller })).get(item_id)
  return item?.queue_id === queue_id ? item : undefined
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

/** What an item shows is the state that was written last. */
async function writeShown(transaction: Transaction<Tables>, { item_id, annotator, to }: ProgressChange) {
  await transaction
    .updateTable('annotation_items')
    .set({ annotation_state: to, annotator_user_id: annotator })
    .where('id', '=', item_id)
    .execute()
}

interface ReviewTarget {
  /** The item before the review. */
  item: StoredItem
  queue: LockedQueue
}

/** A user who has reviewed an item needs no claim of it, and no user needs one after enough users have reviewed it. */
async function addReview(
  transaction: Transaction<Tables>,
  { queue_id, item_id, annotator, at }: ProgressChange,
  { item, queue }: ReviewTarget,
): Promise<void> {
  const review_count = item.review_count + 1
  const changed = transaction.updateTable('annotation_items').where('id', '=', item_id)
  const free = { claimed_by: null, claimed_until: null }
  await changed.set({ review_count }).execute()
  if (review_count < queue.reviewers_per_item) await changed.set(free).where('claimed_by', '=', annotator).execute()
  if (review_count < queue.reviewers_per_item) return
  const { numUpdatedRows } = await changed
    .set({ finished_at: at, ...free })
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  await countFinished(transaction, queue_id, Number(numUpdatedRows))
}

/** An item that too few users have reviewed is open again. */
async function takeReview(
  transaction: Transaction<Tables>,
  { queue_id, item_id }: ProgressChange,
  { item, queue }: ReviewTarget,
): Promise<void> {
  const changed = transaction.updateTable('annotation_items').where('id', '=', item_id)
  const review_count = item.review_count - 1
  await changed.set({ review_count }).execute()
  if (review_count >= queue.reviewers_per_item) return
  const { numUpdatedRows } = await changed.set({ finished_at: null }).where('finished_at', 'is not', null).executeTakeFirst()
  await countFinished(transaction, queue_id, -Number(numUpdatedRows))
}
