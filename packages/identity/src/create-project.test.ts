import { openPostgres } from '@heddle/datastore/postgres'
import { inject, expect, test } from 'vitest'
import { sqlIdentityStore } from './identity-store.sql.ts'

test.skipIf(inject('postgresUrl') === '')(
  'concurrent first writes of a project on two servers create it once and do not block each other',
  async () => {
    const databases = [await openPostgres(inject('postgresUrl')), await openPostgres(inject('postgresUrl'))]
    const stores = databases.map(sqlIdentityStore)
    for (let round = 0; round < 100; round++) {
      const project = { id: `race/p${round}`, entity: 'race', name: `p${round}`, created_at: 1 }
      const made = await Promise.all(Array.from({ length: 16 }, (_, turn) => stores[turn % 2]?.createProject(project)))
      expect(new Set(made.map((each) => each?.internal_id)).size).toBe(1)
    }
    await Promise.all(databases.map((database) => database.destroy()))
  },
)
