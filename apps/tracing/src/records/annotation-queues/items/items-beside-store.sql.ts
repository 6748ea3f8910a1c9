import type { Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely'
import { isStorable } from '../annotation-rows.ts'
import { readItems } from './annotation-item-rows-store.sql.ts'
import type { BesideSelection, ItemsBeside } from './annotation-items-store.ts'
import { columnOf } from './item-order-store.sql.ts'
import { hasState } from './item-state-store.sql.ts'

/** Compares an item with at most all other items of its queue, up to 50,000. Undefined if the queue has no such item. */
export async function findBeside(
  db: Kysely<Tables>,
  project: ProjectScope,
  { queue_id, item_id, caller, fields, states, annotatedBy, isFinished, order }: BesideSelection,
): Promise<ItemsBeside | undefined> {
  if (![queue_id, item_id].every(isStorable)) return undefined
  const keys = order.map(({ field }) => columnOf(field))
  const isAscending = order[0]?.direction === 'asc'
  const own = sql`(SELECT ${sql.join(keys)} FROM annotation_items WHERE id = ${item_id})`
  const inQueue = db.selectFrom('annotation_items').where('queue_id', '=', queue_id)
  const compared = (operator: RawBuilder<unknown>) => sql<SqlBool>`(${sql.join(keys)}) ${operator} ${own}`
  const item = await inQueue.select('id').where('id', '=', item_id).where('project_id', '=', project.id).executeTakeFirst()
  if (item === undefined) return undefined

  const isPossible = [annotatedBy ?? '', ...Object.values(fields)].every(isStorable)
  async function nextId(isForward: boolean): Promise<string | undefined> {
    const isUp = isForward === isAscending
    const behind = inQueue
      .select('id')
      .where(compared(isUp ? sql`>` : sql`<`))
      .where((match) => match.and(fields))
      .where(hasState({ states, annotatedBy, isFinished }, 'annotation_items'))
    const ordered = keys.reduce((query, key) => query.orderBy(key, isUp ? 'asc' : 'desc'), behind)
    return (await ordered.limit(1).executeTakeFirst())?.id
  }
  const { place } = await inQueue
    .select(({ fn }) => fn.countAll<number | string>().as('place'))
    .where(compared(isAscending ? sql`<=` : sql`>=`))
    .executeTakeFirstOrThrow()
  const previous = isPossible ? await nextId(false) : undefined
  const next = isPossible ? await nextId(true) : undefined
  const items = await readItems(db, project, { ids: [previous, next].filter((id) => id !== undefined), caller })
  const itemOf = (id: string | undefined) => (id === undefined ? null : (items.get(id) ?? null))
  return { position: Number(place), previous: itemOf(previous), next: itemOf(next) }
}
