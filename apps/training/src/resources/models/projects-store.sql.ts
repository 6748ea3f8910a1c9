import type { Database } from '@heddle/datastore'

/** Names of the projects of an entity that have rows in a table, at most `limit`, in order. */
export async function listProjectsWith(
  table: 'trained_models' | 'training_files',
  database: Database,
  { entity, limit }: { entity: string; limit: number },
): Promise<string[]> {
  const rows = await database
    .selectFrom(table)
    .select('project_id')
    .distinct()
    .where('project_id', '>=', `${entity}/`)
    .where('project_id', '<', `${entity}0`)
    .orderBy('project_id')
    .limit(limit)
    .execute()
  return rows.map(({ project_id }) => project_id)
}
