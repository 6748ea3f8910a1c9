import type { ScopedDatabase } from '@heddle/datastore'
import type { RetentionStore } from './retention-store.ts'

export function sqlRetentionStore(database: ScopedDatabase): RetentionStore {
  return {
    async read(project) {
      const row = await database
        .of(project)
        .selectFrom('project_retention')
        .select('retention_days')
        .where('project_id', '=', project.id)
        .executeTakeFirst()
      return row?.retention_days ?? null
    },

    async write(project, days) {
      if (days === null) {
        await database.of(project).deleteFrom('project_retention').where('project_id', '=', project.id).execute()
        return
      }
      await database
        .of(project)
        .insertInto('project_retention')
        .values({ project_id: project.id, retention_days: days })
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ retention_days: days }))
        .execute()
    },
  }
}
