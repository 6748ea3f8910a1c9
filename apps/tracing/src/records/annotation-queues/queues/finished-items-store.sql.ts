import { setImmediate } from 'node:timers/promises'
import type { Database, Micros, Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Transaction } from 'kysely'
import { countFinished } from '../count-finished-store.sql.ts'
import { lockQueue } from '../queue-lock-store.sql.ts'

/** Items that are looked at in one transaction. */
const itemsAtOnce = 1_000

interface Finish {
  queue_id: string
  reviewers_per_item: number
  at: Micros
}

/**
 * Finishes the items that enough users have reviewed, reopens the others, and counts them. Works in parts, between which other work can run; ends
 * early if the queue was deleted, or its number of reviewers has changed meanwhile.
 */
export async function finishItems(database: Database, project: ProjectScope, finish: Finish): Promise<void> {
  let after: string | undefined = ''
  while (after !== undefined) {
    const from: string = after
    after = await database.transaction().execute((transaction) => finishPart(transaction, project, { ...finish, after: from }))
    await setImmediate()
  }
}

/** The items of the next calls after one. Returns the last of these calls; undefined at the end. */
async function finishPart(
  transaction: Transaction<Tables>,
  project: ProjectScope,
  { queue_id, reviewers_per_item, at, after }: Finish & { after: string },
): Promise<string | undefined> {
  const queue = await lockQueue(transaction, project, queue_id)
  if (queue === undefined || queue.deleted_at !== null || queue.reviewers_per_item !== reviewers_per_item) return undefined
  const calls = await transaction
    .selectFrom('annotation_items')
    .select('call_id')
    .where('queue_id', '=', queue_id)
    .where('call_id', '>', after)
    .orderBy('call_id')
    .limit(itemsAtOnce)
    .execute()
  const last = calls.at(-1)?.call_id
  if (last === undefined) return undefined
  const items = transaction
    .updateTable('annotation_items')
    .where('queue_id', '=', queue_id)
    .where('call_id', '>', after)
    .where('call_id', '<=', last)
  const finished = await items
    .set({ finished_at: at, claimed_by: null, claimed_until: null })
    .where('finished_at', 'is', null)
    .where('review_count', '>=', reviewers_per_item)
    .executeTakeFirst()
  const opened = await items
    .set({ finished_at: null })
    .where('finished_at', 'is not', null)
    .where('review_count', '<', reviewers_per_item)
    .executeTakeFirst()
  await countFinished(transaction, queue_id, Number(finished.numUpdatedRows - opened.numUpdatedRows))
  return calls.length < itemsAtOnce ? undefined : last
}
