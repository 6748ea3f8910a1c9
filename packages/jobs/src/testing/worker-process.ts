import process from 'node:process'
import { openSqlite, systemTiming } from '@heddle/datastore'
import { openPostgres } from '@heddle/datastore/postgres'
import { createIdentity, sqlIdentityStore } from '@heddle/identity'
import { randomUUID } from 'node:crypto'
import { createJobs } from '../jobs.ts'
import { sqlJobsStore } from '../store/jobs-store.sql.ts'

// node worker-process.js <sqlite|postgres> <file or url> <queue> <isOnlyServer>
const [dialect, url = '', queue = '', isOnlyServer] = process.argv.slice(2)
const database = dialect === 'sqlite' ? await openSqlite(url) : await openPostgres(url)
const clock = () => Date.now() * 1000
const identity = createIdentity({ store: sqlIdentityStore(database), clock })
const jobs = createJobs({
  store: sqlJobsStore({ database, queue }),
  clock,
  timing: systemTiming,
  newId: randomUUID,
  log: { info: () => {}, error: () => {} },
})

jobs.startWorker({
  concurrency: 4,
  leaseMs: 1_000,
  pollMs: 50,
  isOnlyServer: isOnlyServer === 'true',
  openProject: (id, signal) => identity.openForWork(id, { caller: 'jobs', signal }),
  kinds: {
    // Counts its steps in its saved state, and commits a row for each with its place among the steps of all jobs of the serial key.
    async count({ id, project, serialKey, savedState }, { saveState, commit }) {
      const prefix = `${project.id}:${serialKey ?? id}/`
      let step = Number(savedState ?? 0)
      for (; step < 5; step++) {
        await commit(async (transaction) => {
          const before = await transaction
            .selectFrom('project_retention')
            .select(({ fn }) => fn.countAll().as('rows'))
            .where('project_id', 'like', `${prefix}%`)
            .executeTakeFirstOrThrow()
          await transaction
            .insertInto('project_retention')
            .values({ project_id: `${prefix}${id}/${step}`, retention_days: Number(before.rows) })
            .onConflict((conflict) => conflict.doNothing())
            .execute()
        })
        await saveState(step + 1)
      }
      process.send?.(id)
      return step
    },
  },
})
process.once('disconnect', () => process.exit(0))
