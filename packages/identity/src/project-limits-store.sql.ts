import { type LimitChanges, limitNames, type LimitValues } from '@heddle/core-api/internal'
import type { RelationalStore } from '@heddle/datastore'

/** The limits that administrators have set for projects. */
export function sqlProjectLimitsStore(database: RelationalStore) {
  return {
    async read(projectId: string): Promise<LimitValues> {
      const row = await database.selectFrom('project_limits').select(limitNames).where('project_id', '=', projectId).executeTakeFirst()
      return row ?? { requests_per_minute: null, requests_per_minute_per_key: null }
    },

    async write(project: { readonly id: string; readonly signal?: AbortSignal | undefined }, changes: LimitChanges): Promise<void> {
      const given = Object.fromEntries(limitNames.filter((name) => changes[name] !== undefined).map((name) => [name, changes[name]]))
      if (Object.keys(given).length === 0) return
      await database
        .of({ signal: project.signal })
        .insertInto('project_limits')
        .values({ project_id: project.id, ...given })
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet(given))
        .execute()
    },
  }
}
