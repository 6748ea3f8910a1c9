import { setImmediate } from 'node:timers/promises'
import type { AnnotationItemOrder } from '@heddle/core-api/types'
import { inParts, type ScopedDatabase, serverWork, type Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { type Selectable, sql, type SqlBool } from 'kysely'
import { isStorable, readTexts } from '../annotation-rows.ts'
import type { AnnotationQueuesStore, QueueChanges, QueueCounts, QueuesSelection, StoredQueue } from './annotation-queues-store.ts'
import { finishItems } from './finished-items-store.sql.ts'

/** Queues of a project: more are not created. */
const maxSelected = 50_000

type QueueRow = Selectable<Tables['annotation_queues']>

const columns = [
  'id',
  'project_id',
  'name',
  'description',
  'scorer_refs',
  'reviewers_per_item',
  'reservation_minutes',
  'item_order',
  'created_by',
  'created_at',
  'updated_at',
  'deleted_at',
] as const

export function sqlAnnotationQueuesStore(database: ScopedDatabase): AnnotationQueuesStore {
  const live = (project: ProjectScope) =>
    database.of(project).selectFrom('annotation_queues').where('project_id', '=', project.id).where('deleted_at', 'is', null)

  async function selectIds(project: ProjectScope, { name, order, limit, offset }: QueuesSelection): Promise<string[]> {
    const named = live(project)
      .select('id')
      .$if(name !== '', (query) => query.where(contains(name)))
    const rows = await order
      .reduce((query, { field, direction }) => query.orderBy(field, direction), named)
      .limit(Math.min(limit ?? maxSelected, maxSelected))
      .offset(offset)
      .execute()
    return rows.map(({ id }) => id)
  }

  async function readMany(project: ProjectScope, ids: readonly string[]): Promise<StoredQueue[]> {
    const rows = await live(project).select(columns).where('id', 'in', ids).execute()
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => {
      const row = byId.get(id)
      return row === undefined ? [] : [toStoredQueue(row)]
    })
  }

  return {
    async count(project) {
      const row = await live(project)
        .select((select) => select.fn.countAll().as('queues'))
        .executeTakeFirstOrThrow()
      return Number(row.queues)
    },

    async insert(project, queue) {
      const { scorer_refs, ...fields } = queue
      await database
        .of(project)
        .insertInto('annotation_queues')
        .values({
          ...fields,
          project_id: project.id,
          folded_name: folded(queue.name),
          scorer_refs: JSON.stringify(scorer_refs),
          total_items: 0,
          completed_items: 0,
        })
        .execute()
    },

    async find(project, id) {
      if (!isStorable(id)) return undefined
      const row = await live(project).select(columns).where('id', '=', id).executeTakeFirst()
      return row && toStoredQueue(row)
    },

    async update(project, id, { at, ...changes }) {
      if (!isStorable(id)) return undefined
      const row = await database
        .of(project)
        .updateTable('annotation_queues')
        .set({ updated_at: at, ...toColumns(changes) })
        .where('project_id', '=', project.id)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returning(columns)
        .executeTakeFirst()
      // Also where the number is the same: the server may have ended before all items were looked at.
      if (row !== undefined && changes.reviewers_per_item !== undefined)
        await finishItems(database.of(serverWork), project, { queue_id: id, reviewers_per_item: row.reviewers_per_item, at })
      return row && toStoredQueue(row)
    },

    async delete(project, id, at) {
      if (!isStorable(id)) return undefined
      const row = await database
        .of(project)
        .updateTable('annotation_queues')
        .set({ deleted_at: at, updated_at: at })
        .where('project_id', '=', project.id)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returning(columns)
        .executeTakeFirst()
      return row && toStoredQueue(row)
    },

    async *select(project, selection) {
      if (!isStorable(selection.name)) return
      for (const ids of inParts(await selectIds(project, selection))) {
        yield await readMany(project, ids)
        // Statements block the thread; this lets other work run between them.
        await setImmediate()
      }
    },

    async counts(project, ids) {
      const found = new Map<string, QueueCounts>()
      for (const some of inParts(ids.filter(isStorable))) {
        const rows = await database
          .of(project)
          .selectFrom('annotation_queues')
          .select(['id', 'total_items', 'completed_items'])
          .where('project_id', '=', project.id)
          .where('id', 'in', some)
          .execute()
        for (const { id, ...counts } of rows) found.set(id, counts)
      }
      return found
    },
  }
}

/** True if the folded name contains the text: neither dialect's LIKE folds all letters, and each treats some characters as patterns. */
function contains(name: string) {
  return sql<SqlBool>`replace(folded_name, ${folded(name)}, '') <> folded_name`
}

function folded(name: string): string {
  return name.toLowerCase()
}

function toColumns({ scorer_refs, ...changes }: QueueChanges): Partial<QueueRow> {
  return {
    ...changes,
    ...(changes.name !== undefined && { folded_name: folded(changes.name) }),
    ...(scorer_refs !== undefined && { scorer_refs: JSON.stringify(scorer_refs) }),
  }
}

function toStoredQueue({ scorer_refs, item_order, ...row }: Pick<QueueRow, (typeof columns)[number]>): StoredQueue {
  return { ...row, scorer_refs: readTexts(scorer_refs), item_order: item_order as AnnotationItemOrder }
}
