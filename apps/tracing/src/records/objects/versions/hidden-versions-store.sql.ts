import type { Micros, Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely'

// A deletion of an object with many versions hides those that were published until a time, until a job has marked them as deleted. What is published later,
// versions that come back included, has a later time.

/**
 * Whether no unfinished deletion hides a row of `object_versions`, which the statement calls `version`. It searches for deletions of the name by an
 * index, so it costs little if there are none.
 */
export const isNotHidden: RawBuilder<SqlBool> = sql<SqlBool>`NOT EXISTS (SELECT 1 ${hidingVersion()})`

/**
 * Whether an unfinished deletion of the project hides a row of `object_versions`, which the statement calls `version`. Only versions with deleted
 * names are checked, so it costs little if there are no such deletions.
 */
export function isHidden({ id }: ProjectScope): RawBuilder<SqlBool> {
  const names = sql`SELECT object_id FROM deletions WHERE project_id = ${id} AND ended_at IS NULL AND object_id IS NOT NULL`
  return sql<SqlBool>`(version.object_id IN (${names}) AND EXISTS (SELECT 1 ${hidingVersion()}))`
}

/** When an unfinished deletion deleted the row that the statement calls `version`; null where none hides it. */
export const hiddenSince: RawBuilder<Micros | null> = sql<Micros | null>`(SELECT min(deletion.deleted_at) ${hidingVersion()})`

function hidingVersion(): RawBuilder<unknown> {
  return sql`FROM deletions AS deletion WHERE deletion.ended_at IS NULL AND deletion.project_id = version.project_id
    AND deletion.object_id = version.object_id AND version.created_at <= deletion.last_version`
}

/** Until when published versions are hidden by unfinished deletions, by name; names without any are omitted. */
export async function readHiddenUntil(db: Kysely<Tables>, project_id: string, names: readonly string[]): Promise<Map<string, Micros>> {
  const rows = await db
    .selectFrom('deletions')
    .select((select) => ['object_id', select.fn.max('last_version').as('until')])
    .where('project_id', '=', project_id)
    .where('ended_at', 'is', null)
    .where('object_id', 'in', [...names])
    .groupBy('object_id')
    .execute()
  return new Map(rows.map(({ object_id, until }) => [object_id ?? '', Number(until)]))
}
