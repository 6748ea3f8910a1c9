import type { AnnotationState } from '@heddle/core-api/types'
import type { Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Kysely } from 'kysely'
import type { StoredItem } from './annotation-items-store.ts'
import { readTexts } from '../annotation-rows.ts'

const columns = [
  'id',
  'project_id',
  'queue_id',
  'call_id',
  'call_started_at',
  'call_ended_at',
  'call_op_name',
  'call_trace_id',
  'display_fields',
  'added_by',
  'created_by',
  'created_at',
  'updated_at',
  'annotation_state',
  'annotator_user_id',
  'review_count',
  'claimed_by',
  'claimed_until',
] as const

interface ItemsQuery {
  /** At most 500. */
  ids: readonly string[]
  /** Whose `own_state` is read. */
  caller: string
}

/** Items by id; ids that are not items of the project are omitted. */
export async function readItems(db: Kysely<Tables>, project: ProjectScope, { ids, caller }: ItemsQuery): Promise<Map<string, StoredItem>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('annotation_items').select(columns).where('project_id', '=', project.id).where('id', 'in', ids).execute()
  const own = await readOwnStates(db, ids, caller)
  return new Map(
    rows.map(({ display_fields, annotation_state, ...row }) => [
      row.id,
      {
        ...row,
        display_fields: readTexts(display_fields),
        annotation_state: annotation_state as AnnotationState,
        own_state: own.get(row.id) ?? 'unstarted',
      },
    ]),
  )
}

async function readOwnStates(db: Kysely<Tables>, ids: readonly string[], caller: string): Promise<Map<string, AnnotationState>> {
  const rows = await db
    .selectFrom('annotation_progress')
    .select(['item_id', 'annotation_state'])
    .where('item_id', 'in', ids)
    .where('annotator_user_id', '=', caller)
    .execute()
  return new Map(rows.map(({ item_id, annotation_state }) => [item_id, annotation_state as AnnotationState]))
}
