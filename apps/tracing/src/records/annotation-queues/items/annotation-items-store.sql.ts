import { setImmediate } from 'node:timers/promises'
import { badRequest } from '@heddle/core-api/internal'
import { inParts, type ScopedDatabase, type Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { AnnotationItemsStore, ItemsSelection, NewItems, PlacedItem } from './annotation-items-store.ts'
import { readItems } from './annotation-item-rows-store.sql.ts'
import { isStorable } from '../annotation-rows.ts'
import { findBeside } from './items-beside-store.sql.ts'
import { columnOf } from './item-order-store.sql.ts'
import { hasState } from './item-state-store.sql.ts'
import { lockQueue } from '../queue-lock-store.sql.ts'

/** Items of one queue: a query of calls may have to name all of them. */
const maxItems = 50_000

interface ItemsStoreDeps {
  database: ScopedDatabase
  newId: () => string
}

export function sqlAnnotationItemsStore({ database, newId }: ItemsStoreDeps): AnnotationItemsStore {
  async function findKnown(transaction: Transaction<Tables>, { queue_id, call_ids }: NewItems): Promise<Set<string>> {
    const known = new Set<string>()
    for (const some of inParts(call_ids.filter(isStorable))) {
      const rows = await transaction
        .selectFrom('annotation_items')
        .select('call_id')
        .where('queue_id', '=', queue_id)
        .where('call_id', 'in', some)
        .execute()
      for (const { call_id } of rows) known.add(call_id)
    }
    return known
  }

  async function insert(transaction: Transaction<Tables>, project: ProjectScope, items: NewItems, known: ReadonlySet<string>) {
    const { queue_id, call_ids, calls, added_by, at } = items
    const added = call_ids.flatMap((id) => (known.has(id) ? [] : (calls.get(id) ?? [])))
    const display_fields = JSON.stringify(items.display_fields)
    for (const some of inParts(added)) {
      const rows = some.map((call) => ({
        ...call,
        id: newId(),
        project_id: project.id,
        queue_id,
        display_fields,
        added_by,
        created_by: added_by,
        created_at: at,
        updated_at: at,
        annotation_state: 'unstarted',
        annotator_user_id: '',
        review_count: 0,
      }))
      await transaction.insertInto('annotation_items').values(rows).execute()
    }
    return added.length
  }

  return {
    add: (project, items) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          if (!isStorable(items.queue_id)) return undefined
          const queue = await lockQueue(transaction, project, items.queue_id)
          if (queue === undefined || queue.deleted_at !== null) return undefined
          const known = await findKnown(transaction, items)
          const added = await insert(transaction, project, items, known)
          const total_items = queue.total_items + added
          if (total_items > maxItems)
            throw badRequest(
              `queue ${items.queue_id} would have ${total_items} items; at most ${maxItems} are allowed: create another queue`,
            )
          await transaction.updateTable('annotation_queues').set({ total_items }).where('id', '=', items.queue_id).execute()
          return { added, known: known.size }
        }),

    async select(project, selection) {
      if (![selection.queue_id, selection.annotatedBy ?? '', ...Object.values(selection.fields)].every(isStorable)) return []
      const places = await selectPlaces(database.of(project), project, selection)
      const found: PlacedItem[] = []
      for (const some of inParts(places)) {
        const items = await readItems(database.of(project), project, { ids: some.map(({ id }) => id), caller: selection.caller })
        for (const { id, position } of some) {
          const item = items.get(id)
          if (item !== undefined) found.push({ item, position })
        }
        // Statements block the thread; this lets other work run between them.
        await setImmediate()
      }
      return found
    },

    beside: (project, selection) => findBeside(database.of(project), project, selection),

    async callsOf(project, queueIds) {
      const calls = new Map<string, string[]>()
      for (const queueId of queueIds.filter(isStorable)) {
        const rows = await database
          .of(project)
          .selectFrom('annotation_items')
          .select('call_id')
          .where('project_id', '=', project.id)
          .where('queue_id', '=', queueId)
          .execute()
        if (rows.length > 0)
          calls.set(
            queueId,
            rows.map(({ call_id }) => call_id),
          )
        await setImmediate()
      }
      return calls
    },
  }
}

/** An item by its id, and its position from 1. */
interface Place {
  id: string
  position: number
}

async function selectPlaces(
  db: Kysely<Tables>,
  project: ProjectScope,
  { queue_id, fields, states, annotatedBy, isFinished, order, limit, offset }: ItemsSelection,
): Promise<Place[]> {
  const matching = db
    .selectFrom('annotation_items')
    .where('project_id', '=', project.id)
    .where('queue_id', '=', queue_id)
    .where((match) => match.and(fields))
  if (states.length === 0 && annotatedBy === null && isFinished === null) {
    const ordered = order.reduce((query, { field, direction }) => query.orderBy(columnOf(field), direction), matching.select('id'))
    const rows = await ordered.limit(limit).offset(offset).execute()
    return rows.map(({ id }, at) => ({ id, position: offset + at + 1 }))
  }
  const keys = order.map(({ field, direction }) => sql`${columnOf(field)} ${direction === 'asc' ? sql`ASC` : sql`DESC`}`)
  const position = sql<number>`row_number() OVER (ORDER BY ${sql.join(keys)})`
  const numbered = matching.select(['id', 'annotation_state', 'finished_at', position.as('position')])
  return db
    .selectFrom(numbered.as('numbered'))
    .select(['id', 'position'])
    .where(hasState({ states, annotatedBy, isFinished }, 'numbered'))
    .orderBy('position')
    .limit(limit)
    .offset(offset)
    .execute()
}
