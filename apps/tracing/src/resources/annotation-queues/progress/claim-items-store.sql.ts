import type { Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ExpressionBuilder, Transaction } from 'kysely'
import type { Claim } from './annotation-progress-store.ts'

type Items = ExpressionBuilder<Tables, 'annotation_items'>

/**
 * Claims items by compare-and-set: the statement that takes the chosen items looks again whether they are free. Their ids, those that the caller
 * held before first, each in the order of the queue. The queue is locked, so that the next claim chooses among what is left.
 */
export async function claimItems(transaction: Transaction<Tables>, project: ProjectScope, claim: Claim): Promise<string[]> {
  const held = await chooseItems(transaction, project, { ...claim, held: true })
  const others = await chooseItems(transaction, project, { ...claim, held: false, limit: claim.limit - held.length })
  const chosen = [...held, ...others]
  if (chosen.length === 0) return []
  const taken = await transaction
    .updateTable('annotation_items')
    .set({ claimed_by: claim.caller, claimed_until: claim.until })
    .where('project_id', '=', project.id)
    .where('id', 'in', chosen)
    .where((item) => isFree(item, claim))
    .returning('id')
    .execute()
  const ids = new Set(taken.map(({ id }) => id))
  return chosen.filter((id) => ids.has(id))
}

interface Choice extends Claim {
  /** True: the items that the caller holds. False: those that nobody holds. */
  held: boolean
}

async function chooseItems(transaction: Transaction<Tables>, project: ProjectScope, choice: Choice): Promise<string[]> {
  const { queue_id, caller, now, limit, held } = choice
  if (limit === 0) return []
  const rows = await transaction
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
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** True for an item that nobody has finished, that no other annotator has in progress and that no other caller holds. */
function isFree(item: Items, { caller, now }: Claim) {
  const inProgress = item
    .selectFrom('annotation_progress')
    .select('annotation_progress.item_id')
    .whereRef('annotation_progress.item_id', '=', 'annotation_items.id')
    .where('annotation_progress.annotator_user_id', '<>', caller)
    .where('annotation_progress.annotation_state', '=', 'in_progress')
  return item.and([
    item('finished_at', 'is', null),
    item.or([item('claimed_by', 'is', null), item('claimed_by', '=', caller), item('claimed_until', '<=', now)]),
    item.not(item.exists(inProgress)),
  ])
}
