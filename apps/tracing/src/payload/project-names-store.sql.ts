import type { Database } from '@heddle/datastore'
import type { ProjectNamesStore } from './project-names-store.ts'

export function sqlProjectNamesStore(database: Database): ProjectNamesStore {
  return {
    async findByInternalId(internalId) {
      const row = await database.selectFrom('projects').select('id').where('internal_id', '=', internalId).executeTakeFirst()
      return row?.id
    },
  }
}
