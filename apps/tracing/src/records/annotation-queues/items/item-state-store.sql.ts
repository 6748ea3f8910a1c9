import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { isStorable } from '../annotation-rows.ts'
import type { ItemsMatch } from './annotation-items-store.ts'

/** Whether an item of `table` has one of the states, was annotated by the user and is finished, as requested. */
export function hasState({ states, annotatedBy, isFinished }: Omit<ItemsMatch, 'fields'>, table: string): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const conditions: RawBuilder<unknown>[] = [sql`1 = 1`]
  // A text that cannot be stored is the state of no item.
  if (states.length > 0) conditions.push(sql`${column('annotation_state')} IN (${sql.join(states.filter(isStorable).concat(''))})`)
  if (isFinished !== null) conditions.push(isFinished ? sql`${column('finished_at')} IS NOT NULL` : sql`${column('finished_at')} IS NULL`)
  if (annotatedBy !== null)
    conditions.push(sql`EXISTS (SELECT 1 FROM annotation_progress WHERE item_id = ${column('id')} AND annotator_user_id = ${annotatedBy})`)
  return sql<SqlBool>`${sql.join(conditions, sql` AND `)}`
}
