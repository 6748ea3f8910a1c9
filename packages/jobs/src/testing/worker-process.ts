import process from 'node:process'
import { openPostgres, openSqlite, systemTiming } from '@heddle/datastore'
import { createIdentity, sqlIdentityStore } from '@heddle/identity'
import { randomUUID } from 'node:crypto'
import { createJobs } from '../jobs.ts'
import { sqlJobsStore } from '../jobs-store.sql.ts'

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
    // Counts its steps in its saved state, and in a row that is committed with the lease.
    async count({ id, savedState }, { saveState, commit }) {
      let step = Number(savedState ?? 0)
      for (; step < 5; step++) {
        await commit((transaction) =>
          transaction
            .insertInto('project_retention')
            .values({ project_id: `${id}/${step}`, retention_days: step })
            .onConflict((conflict) => conflict.doNothing())
            .execute(),
        )
        await saveState(step + 1)
      }
      process.send?.(id)
      return step
    },
  },
})
process.once('disconnect', () => process.exit(0))
