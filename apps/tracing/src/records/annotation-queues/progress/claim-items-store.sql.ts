import type { AnnotationItemOrder } from '@heddle/core-api/types'
import type { Micros, Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ExpressionBuilder, Transaction } from 'kysely'
import { orderOfClaims } from '../annotation-order.ts'
import { columnOf } from '../items/item-order-store.sql.ts'
import type { LockedQueue } from '../queue-lock-store.sql.ts'
import type { Claim, ItemClaim } from './annotation-progress-store.ts'

type Items = ExpressionBuilder<Tables, 'annotation_items'>

/**
 * Claims items by compare-and-set: the statement that takes the chosen items checks again that they are free. Returns their ids, those that the
 * caller held before first, each in the order of the queue. The queue is locked, so that the next claim chooses among the remaining ones.
 */
export async function claimItems(
  transaction: Transaction<Tables>,
  project: ProjectScope,
  { queue, ...claim }: Claim & { queue: LockedQueue },
): Promise<string[]> {
  const { item_order } = queue
  const held = await chooseItems(transaction, project, { ...claim, item_order, held: true })
  const others = await chooseItems(transaction, project, { ...claim, item_order, held: false, limit: claim.limit - held.length })
  const chosen = [...held, ...others]
  if (chosen.length === 0) return []
  const taken = await transaction
    .updateTable('annotation_items')
    .set({ claimed_by: claim.caller, claimed_until: endOfClaim(claim, queue) })
    .where('project_id', '=', project.id)
    .where('id', 'in', chosen)
    .where((item) => isFree(item, claim))
    .returning('id')
    .execute()
  const ids = new Set(taken.map(({ id }) => id))
  return chosen.filter((id) => ids.has(id))
}

/** Whether the named item was free, and is held by the caller now. The queue is locked. */
export async function claimItem(
  transaction: Transaction<Tables>,
  project: ProjectScope,
  { queue, ...claim }: ItemClaim & { queue: LockedQueue },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('annotation_items')
    .set({ claimed_by: claim.caller, claimed_until: endOfClaim(claim, queue) })
    .where('project_id', '=', project.id)
    .where('queue_id', '=', claim.queue_id)
    .where('id', '=', claim.item_id)
    .where((item) => isFree(item, claim))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Ends the claim of the caller. */
export async function releaseItem(
  transaction: Transaction<Tables>,
  project: ProjectScope,
  { queue_id, item_id, caller }: Pick<ItemClaim, 'queue_id' | 'item_id' | 'caller'>,
): Promise<void> {
  await transaction
    .updateTable('annotation_items')
    .set({ claimed_by: null, claimed_until: null })
    .where('project_id', '=', project.id)
    .where('queue_id', '=', queue_id)
    .where('id', '=', item_id)
    .where('claimed_by', '=', caller)
    .execute()
}

/** Until when a claim of now holds. */
function endOfClaim({ now, lease_seconds }: Pick<Claim, 'now' | 'lease_seconds'>, { reservation_minutes }: LockedQueue): Micros {
  return now + (lease_seconds ?? reservation_minutes * 60) * 1_000_000
}

interface Choice extends Claim {
  item_order: AnnotationItemOrder
  /** True: the items that the caller holds. False: unclaimed items. */
  held: boolean
}

async function chooseItems(transaction: Transaction<Tables>, project: ProjectScope, choice: Choice): Promise<string[]> {
  const { queue_id, caller, now, limit, held, item_order } = choice
  if (limit === 0) return []
  const chosen = transaction
    .selectFrom('annotation_items')
    .select('id')
    .where('project_id', '=', project.id)
    .where('queue_id', '=', queue_id)
    .where((item) => isFree(item, choice))
    .where((item) =>
      held
        ? item.and([item('claimed_by', '=', caller), item('claimed_until', '>', now)])
        : item.or([item('claimed_by', 'is', null), item('claimed_until', '<=', now)]),
    )
    .limit(limit)
  const rows = await orderOfClaims(item_order)
    .reduce((query, { field, direction }) => query.orderBy(columnOf(field), direction), chosen)
    .execute()
  return rows.map(({ id }) => id)
}

/** True for an item that is not finished, that the caller has not reviewed, that no other annotator has in progress and that no other caller holds. */
function isFree(item: Items, { caller, now }: Pick<Claim, 'caller' | 'now'>) {
  const taken = item
    .selectFrom('annotation_progress')
    .select('annotation_progress.item_id')
    .whereRef('annotation_progress.item_id', '=', 'annotation_items.id')
    .where((progress) =>
      progress.or([
        progress.and([
          progress('annotation_progress.annotator_user_id', '<>', caller),
          progress('annotation_progress.annotation_state', '=', 'in_progress'),
        ]),
        progress.and([
          progress('annotation_progress.annotator_user_id', '=', caller),
          progress('annotation_progress.annotation_state', 'in', ['completed', 'skipped']),
        ]),
      ]),
    )
  return item.and([
    item('finished_at', 'is', null),
    item.or([item('claimed_by', 'is', null), item('claimed_by', '=', caller), item('claimed_until', '<=', now)]),
    item.not(item.exists(taken)),
  ])
}
