import type { ScopedDatabase } from '@heddle/datastore'
import type { HealthStore } from './health-store.ts'

export function sqlHealthStore(database: ScopedDatabase): HealthStore {
  return {
    async check(signal) {
      await database.of({ signal }).selectFrom('store_identity').selectAll().limit(1).execute()
    },
  }
}
