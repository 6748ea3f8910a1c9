import { randomUUID } from 'node:crypto'
import type { Database } from '@heddle/datastore'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { NewJob } from '../job.ts'
import { sqlTransactionalJobs, type TransactionalJobs } from '../store/transactional-jobs-store.sql.ts'
import { newTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { type TestJobs, testServers } from '../testing/test-servers.ts'

describe.each(['sqlite', 'postgres'] as const)('jobs that are enqueued in a transaction, on %s', (dialect) => {
  if (dialect === 'postgres' && inject('postgresUrl') === '') return
  let store: TestDatabase
  let server: TestJobs
  let queued: TransactionalJobs
  let projectId: string
  const ran: unknown[] = []
  beforeAll(async () => {
    store = await newTestDatabase(dialect)
  })
  afterAll(() => store.close())
  beforeEach(() => {
    const queue = randomUUID()
    server = testServers().start(store.database, { queue })
    queued = sqlTransactionalJobs({ queue, clock: server.now, newId: randomUUID, maxWaiting: 2 })
    projectId = `acme/${randomUUID()}`
    ran.length = 0
  })

  const inTransaction = <T>(work: (transaction: Database) => Promise<T>) => store.database.transaction().execute(work)
  const enqueue = (job: Partial<NewJob> = {}) =>
    inTransaction((transaction) => queued.enqueue(transaction, projectId, { kind: 'a', payload: 1, ...job }))
  /** Idles: no job waits, and no other server works on the queue. */
  async function idleWorker() {
    const kinds = { a: async ({ payload }: { payload: unknown }) => void ran.push(payload) }
    const worker = server.startWorker({ kinds, isOnlyServer: true })
    await server.advance(100)
    return worker
  }

  test('run within two seconds of the commit on a server that expects them', async () => {
    const worker = await idleWorker()
    await inTransaction(async (transaction) => {
      await queued.enqueue(transaction, projectId, { kind: 'a', payload: 1 })
      server.jobs.expect()
    })
    await server.advance(2_000)
    expect(ran).toEqual([1])
    await worker.stop()
  })

  test('run at last on one that does not, and are found however often others are expected', async () => {
    const worker = await idleWorker()
    await enqueue()
    await server.advance(10_000)
    expect(ran).toEqual([])
    for (let ms = 0; ms < 2_000; ms += 100) {
      server.jobs.expect()
      await server.advance(100)
    }
    expect(ran).toEqual([1])
    await enqueue({ payload: 2 })
    await server.advanceUntil(() => ran.length === 2)
    await worker.stop()
  })

  test('are not there after a rollback', async () => {
    const worker = await idleWorker()
    const failed = inTransaction(async (transaction) => {
      await queued.enqueue(transaction, projectId, { kind: 'a', payload: 1 })
      server.jobs.expect()
      throw new Error('the change failed')
    })
    await expect(failed).rejects.toThrow('the change failed')
    await server.advance(60_000)
    expect(ran).toEqual([])
    expect(await server.jobs.countWaiting(await server.project(projectId))).toBe(0)
    await worker.stop()
  })

  test('are refused beyond those that may wait, and the transaction continues', async () => {
    await enqueue()
    await enqueue()
    const refused = inTransaction(async (transaction) => {
      const error = await queued.enqueue(transaction, projectId, { kind: 'a', payload: 3 }).catch((reason: unknown) => reason)
      await transaction.updateTable('jobs').set({ payload: '4' }).where('project_id', '=', projectId).execute()
      return error
    })
    expect(await refused).toMatchObject({ status: 429 })
    const worker = await idleWorker()
    await server.advanceUntil(() => ran.length === 2)
    expect(ran).toEqual([4, 4])
    await worker.stop()
  })

  test('are counted by how their keys begin, until they have ended', async () => {
    const keyed = (key: string) => ({ payload: 0, idempotency: { key, content: 0 } })
    const count = (prefix: string) => inTransaction((transaction) => queued.countUnfinished(transaction, projectId, prefix))
    const [first, again] = [await enqueue(keyed('x/1')), await enqueue(keyed('x/1'))]
    expect([first.isNew, again.isNew, again.job.id]).toEqual([true, false, first.job.id])
    await enqueue(keyed('y/1'))
    expect([await count('x/'), await count('y/'), await count('z/'), await count('')]).toEqual([1, 1, 0, 2])
    const worker = await idleWorker()
    await server.advanceUntil(() => ran.length === 2)
    expect(await count('x/')).toBe(0)
    await worker.stop()
  })
})
