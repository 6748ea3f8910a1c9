import { randomUUID } from 'node:crypto'
import { invariantFailures, type RelationalStore, serverWork } from '@heddle/datastore'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { jobLimits } from './job-limits.ts'
import { aProject as openProject, newTestDatabase, type TestDatabase } from './testing/test-database.ts'
import { type TestJobs, testServers } from './testing/test-servers.ts'

describe.each(['sqlite', 'postgres'] as const)('the queue on %s', (dialect) => {
  const isMissing = dialect === 'postgres' && inject('postgresUrl') === ''
  let store: TestDatabase
  let database: RelationalStore
  let server: TestJobs
  beforeAll(async () => {
    if (isMissing) return
    store = await newTestDatabase(dialect)
    database = store.database
  })
  afterAll(() => store?.close())
  beforeEach(() => {
    if (!isMissing) server = testServers().start(database, { queue: randomUUID() })
  })
  const aProject = () => server.project(`acme/${randomUUID()}`)

  test.skipIf(isMissing)('a job is found as it was enqueued', async () => {
    const project = await aProject()
    const payload = { text: 'it\'s "quoted" \0 🧵', list: [1, 0.1, null] }
    const { job, isNew } = await server.jobs.enqueue(project, { kind: 'score', payload, serialKey: 'model', maxAttempts: 5 })
    expect(isNew).toBe(true)
    expect(await server.jobs.get(project, job.id)).toEqual({
      id: job.id,
      projectId: project.id,
      kind: 'score',
      state: 'queued',
      payload,
      serialKey: 'model',
      attempt: 0,
      maxAttempts: 5,
      progress: null,
      result: null,
      error: null,
      cancelRequestedAt: null,
      createdAt: server.now(),
      runAfter: null,
      startedAt: null,
      endedAt: null,
    })
  })

  test.skipIf(isMissing)('an idempotency key finds the job with the same content, in whatever order its keys are', async () => {
    const project = await aProject()
    const idempotency = { key: 'k' }
    const first = await server.jobs.enqueue(project, { kind: 'a', payload: { x: 1, y: [2] }, idempotency })
    const again = await server.jobs.enqueue(project, { kind: 'a', payload: { y: [2], x: 1 }, idempotency })
    expect(again).toEqual({ job: first.job, isNew: false })
    expect((await server.jobs.list(project)).jobs).toHaveLength(1)
  })

  test.skipIf(isMissing)('an idempotency key with other content is a conflict', async () => {
    const project = await aProject()
    const idempotency = { key: 'k' }
    await server.jobs.enqueue(project, { kind: 'a', payload: 1, idempotency })
    for (const other of [{ payload: 2 }, { kind: 'b' }, { serialKey: 's' }])
      await expect(server.jobs.enqueue(project, { kind: 'a', payload: 1, idempotency, ...other })).rejects.toMatchObject({ status: 409 })
    const other = await server.jobs.enqueue(await aProject(), { kind: 'a', payload: 2, idempotency })
    expect(other.isNew).toBe(true)
  })

  test.skipIf(isMissing)('where the key alone decides, other content finds the job as well', async () => {
    const project = await aProject()
    const idempotency = { key: 'k', content: 'any' }
    const { job } = await server.jobs.enqueue(project, { kind: 'a', payload: 1, idempotency })
    expect(await server.jobs.enqueue(project, { kind: 'a', payload: 2, idempotency })).toEqual({ job, isNew: false })
  })

  test.skipIf(isMissing)('jobs are counted by how their keys begin, of one project, as text and not as a pattern', async () => {
    const project = await aProject()
    const enqueue = (key: string) => server.jobs.enqueue(project, { kind: 'a', payload: key, idempotency: { key } })
    for (const key of ['m_1/a', 'm_1/b', 'mx1/a', 'M_1/a', 'm_1']) await enqueue(key)
    await server.jobs.enqueue(project, { kind: 'a', payload: 1 })
    const cancelled = await enqueue('m_1/c')
    await server.jobs.cancel(project, cancelled.job.id)
    await server.jobs.enqueue(await aProject(), { kind: 'a', payload: 1, idempotency: { key: 'm_1/d' } })
    expect(await server.jobs.countByKey(project, 'm_1/')).toEqual({ unfinished: 2, failed: 0 })
    expect(await server.jobs.countWaiting(project)).toBe(6)
    expect(await server.jobs.countWaiting(await aProject())).toBe(0)
  })

  test.skipIf(isMissing)('a key that failure releases makes a new job after a cancelled one, and finds any other', async () => {
    const project = await aProject()
    const job = { kind: 'a', payload: 1, idempotency: { key: 'k', isReleasedByFailure: true } }
    const first = await server.jobs.enqueue(project, job)
    expect((await server.jobs.enqueue(project, job)).job.id).toBe(first.job.id)
    await server.jobs.cancel(project, first.job.id)
    const second = await server.jobs.enqueue(project, job)
    expect(second).toMatchObject({ isNew: true })
    expect(second.job.id).not.toBe(first.job.id)
    expect((await server.jobs.enqueue(project, job)).job.id).toBe(second.job.id)
    expect(await server.jobs.get(project, first.job.id)).toMatchObject({ state: 'cancelled' })
  })

  test.skipIf(isMissing)('of many that enqueue one key at once, one makes the job', async () => {
    const project = await aProject()
    const enqueued = await Promise.all(
      Array.from({ length: 20 }, () => server.jobs.enqueue(project, { kind: 'a', payload: 1, idempotency: { key: 'k' } })),
    )
    expect(enqueued.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(enqueued.map(({ job }) => job.id)).size).toBe(1)
  })

  test.skipIf(isMissing)('several jobs are enqueued all or none, in their order, and equal keys among them once', async () => {
    const project = await aProject()
    const jobs = [1, 2, 1, 3].map((payload) => ({ kind: 'a', payload, idempotency: { key: `k${payload}` } }))
    const enqueued = await server.jobs.enqueueAll(project, jobs)
    expect(enqueued.map(({ isNew }) => isNew)).toEqual([true, true, false, true])
    expect(enqueued[2]?.job.id).toBe(enqueued[0]?.job.id)
    const clash = [
      { kind: 'a', payload: 9 },
      { kind: 'a', payload: 9, idempotency: { key: 'k1' } },
    ]
    await expect(server.jobs.enqueueAll(project, clash)).rejects.toMatchObject({ status: 409 })
    const { jobs: listed } = await server.jobs.list(project, {}, { order: 'asc' })
    expect(listed.map(({ id }) => id)).toEqual([0, 1, 3].map((at) => enqueued[at]?.job.id))
  })

  test.skipIf(isMissing)('a project has a bound for jobs that wait, and another project its own', async () => {
    const small = testServers().start(database, { queue: randomUUID(), maxWaiting: 3 })
    const project = await aProject()
    const jobs = Array.from({ length: 3 }, () => ({ kind: 'a', payload: null }))
    const [first] = await small.jobs.enqueueAll(project, jobs)
    await expect(small.jobs.enqueue(project, { kind: 'a', payload: null })).rejects.toMatchObject({ status: 429, retryAfterSeconds: 30 })
    await small.jobs.enqueueAll(await aProject(), jobs)
    await small.jobs.cancel(project, first?.job.id ?? '')
    await small.jobs.enqueue(project, { kind: 'a', payload: null })
  })

  test.skipIf(isMissing)('what is too large or out of range is refused by name', async () => {
    const project = await aProject()
    const refused = (job: object) => server.jobs.enqueue(project, { kind: 'a', payload: null, ...job }).catch((error: unknown) => error)
    expect(await refused({ payload: 'x'.repeat(jobLimits.payloadBytes) })).toMatchObject({ status: 413 })
    expect(await refused({ payload: undefined })).toMatchObject({ status: 400 })
    expect(await refused({ kind: 'A B' })).toMatchObject({ status: 400, message: expect.stringContaining('"A B"') })
    expect(await refused({ serialKey: '' })).toMatchObject({ status: 400 })
    expect(await refused({ idempotency: { key: 'x'.repeat(256) } })).toMatchObject({ status: 400 })
    expect(await refused({ idempotency: { key: 'a\0b' } })).toMatchObject({ status: 400 })
    expect(await refused({ maxAttempts: 21 })).toMatchObject({ status: 400 })
    expect(await refused({ runAfter: server.now() + 31 * 86_400 * 1_000_000 })).toMatchObject({ status: 400 })
    const many = Array.from({ length: 1_001 }, () => ({ kind: 'a', payload: null }))
    await expect(server.jobs.enqueueAll(project, many)).rejects.toMatchObject({ status: 400 })
    for (const limit of [0, 1_001, 1.5]) await expect(server.jobs.list(project, {}, { limit })).rejects.toMatchObject({ status: 400 })
  })

  test.skipIf(isMissing)('lists have pages, filters and both orders', async () => {
    const project = await aProject()
    const enqueue = (kind: string, serialKey?: string) =>
      server.jobs.enqueue(project, { kind, payload: null, ...(serialKey !== undefined && { serialKey }) }).then(({ job }) => job.id)
    const ids = [await enqueue('a', 's'), await enqueue('b'), await enqueue('a', 's'), await enqueue('a')]
    await server.jobs.cancel(project, ids[1] ?? '')
    const list = async (...args: [object?, object?]) => {
      const { jobs, hasMore } = await server.jobs.list(project, ...args)
      return [jobs.map(({ id }) => ids.indexOf(id)), hasMore]
    }
    expect(await list()).toEqual([[3, 2, 1, 0], false])
    expect(await list({ kind: 'a' }, { order: 'asc' })).toEqual([[0, 2, 3], false])
    expect(await list({ serialKey: 's' })).toEqual([[2, 0], false])
    expect(await list({ state: 'queued' })).toEqual([[3, 2, 0], false])
    expect(await list({ state: 'cancelled' })).toEqual([[1], false])
    expect(await list({}, { limit: 2 })).toEqual([[3, 2], true])
    expect(await list({}, { limit: 2, after: ids[2] })).toEqual([[1, 0], false])
    expect(await list({}, { limit: 2, after: ids[0], order: 'asc' })).toEqual([[1, 2], true])
    await expect(server.jobs.list(project, {}, { after: randomUUID() })).rejects.toMatchObject({ status: 404 })
    expect(await server.jobs.counts(project)).toEqual([
      { kind: 'a', state: 'queued', jobs: 3 },
      { kind: 'b', state: 'cancelled', jobs: 1 },
    ])
  })

  test.skipIf(isMissing)('ids of another project or queue, and texts that no row holds, find nothing', async () => {
    const project = await aProject()
    const { job } = await server.jobs.enqueue(project, { kind: 'a', payload: null })
    const stranger = await aProject()
    const otherQueue = testServers().start(database, { queue: randomUUID() })
    for (const find of [
      () => server.jobs.get(stranger, job.id),
      () => server.jobs.cancel(stranger, job.id),
      () => otherQueue.jobs.get(project, job.id),
      () => otherQueue.jobs.cancel(project, job.id),
      () => server.jobs.get(project, 'a\0b'),
      () => server.jobs.cancel(project, 'a\0b'),
    ])
      expect(await find()).toBeUndefined()
    await expect(server.jobs.list(stranger, {}, { after: job.id })).rejects.toMatchObject({ status: 404 })
    expect(await server.jobs.list(stranger)).toEqual({ jobs: [], hasMore: false })
    expect(await server.jobs.counts(stranger)).toEqual([])
    expect(await server.jobs.get(project, job.id)).toMatchObject({ state: 'queued' })
  })

  test.skipIf(isMissing)('a job that waits is cancelled at once, and stays so', async () => {
    const project = await aProject()
    const { job } = await server.jobs.enqueue(project, { kind: 'a', payload: null })
    const cancelled = await server.jobs.cancel(project, job.id)
    expect(cancelled).toMatchObject({ state: 'cancelled', endedAt: server.now(), cancelRequestedAt: server.now() })
    await server.advance(1_000)
    expect(await server.jobs.cancel(project, job.id)).toEqual(cancelled)
    expect(await server.jobs.stats()).toMatchObject({ waiting: 0, running: 0, finished: 1, oldestWaitingSince: null })
  })

  test.skipIf(isMissing)('a sweep removes finished jobs that are too old, and of a project those that are too many', async () => {
    const { jobs, advance } = testServers().start(database, { queue: randomUUID(), keptMicros: 60_000_000, keptPerProject: 2 })
    const project = await aProject()
    const add = async () => (await jobs.enqueue(project, { kind: 'a', payload: null, idempotency: { key: randomUUID() } })).job.id
    const old = [await add(), await add(), await add()]
    for (const id of old.slice(0, 2)) await jobs.cancel(project, id)
    await advance(61_000)
    const late = [await add(), await add(), await add()]
    for (const id of late) await jobs.cancel(project, id)
    expect(await jobs.sweep()).toBe(3)
    const { jobs: left } = await jobs.list(project, {}, { order: 'asc' })
    expect(left.map(({ id }) => id)).toEqual([old[2], late[1], late[2]])
    expect(await jobs.sweep()).toBe(0)
    expect(await jobs.stats()).toMatchObject({ waiting: 1, finished: 2 })
  })

  test.skipIf(isMissing)('the figures of a queue are those of its rows, whatever is enqueued and cancelled', async () => {
    const steps = fc.array(
      fc.record({ project: fc.nat(2), cancels: fc.boolean(), at: fc.nat(5), serialKey: fc.constantFrom('x', undefined) }),
      {
        maxLength: 12,
      },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (life) => {
        const { jobs } = testServers().start(database, { queue: randomUUID() })
        const projects = await Promise.all([0, 1, 2].map(() => aProject()))
        const ids: string[] = []
        for (const { project: at, cancels, at: which, serialKey } of life) {
          const project = projects[at] ?? (await aProject())
          if (cancels) await jobs.cancel(project, ids[which] ?? '')
          else ids.push((await jobs.enqueue(project, { kind: 'a', payload: null, ...(serialKey && { serialKey }) })).job.id)
        }
        const counts = (await Promise.all(projects.map((project) => jobs.counts(project)))).flat()
        const sum = (state: string) => counts.filter((count) => count.state === state).reduce((total, { jobs }) => total + jobs, 0)
        expect(await jobs.stats()).toMatchObject({ waiting: sum('queued'), running: 0, finished: sum('cancelled') })
      }),
      { numRuns: 15 },
    )
  })

  test.skipIf(isMissing)('a change after which a count would be negative is undone, and counted as a bug', async () => {
    const project = await aProject()
    const { job } = await server.jobs.enqueue(project, { kind: 'a', payload: null })
    const queues = database.of(serverWork).updateTable('job_queues').where('project_id', '=', project.id)
    await queues.set({ waiting: 0 }).execute()
    const before = invariantFailures()['jobs.counts-are-not-negative'] ?? 0
    await expect(server.jobs.cancel(project, job.id)).rejects.toMatchObject({ invariant: 'jobs.counts-are-not-negative' })
    expect(await server.jobs.get(project, job.id)).toMatchObject(job)
    expect(invariantFailures()['jobs.counts-are-not-negative']).toBe(before + 1)
    await queues.set({ waiting: 1 }).execute()
    expect(await server.jobs.cancel(project, job.id)).toMatchObject({ state: 'cancelled' })
  })
})

describe.skipIf(inject('postgresUrl') === '')('a request on PostgreSQL', () => {
  let store: TestDatabase
  beforeAll(async () => {
    store = await newTestDatabase('postgres')
  })
  afterAll(() => store.close())

  test('that aborts while the queue is locked leaves it, and changes nothing', async () => {
    const { database } = store
    const server = testServers().start(database, { queue: randomUUID() })
    const project = await server.project(`acme/${randomUUID()}`)
    const { job } = await server.jobs.enqueue(project, { kind: 'a', payload: 1 })
    const client = new AbortController()
    const leaving = await openProject(database, project.id, client.signal)
    const cancelled = { name: 'StoreError', kind: 'cancelled' }
    await database.transaction().execute(async (transaction) => {
      await transaction.updateTable('job_queues').set({ waiting: 1 }).where('project_id', '=', project.id).execute()
      const changes = [server.jobs.enqueue(leaving, { kind: 'a', payload: 2 }), server.jobs.cancel(leaving, job.id)]
      const ended = Promise.all(changes.map((change) => expect(change).rejects.toMatchObject(cancelled)))
      client.abort()
      await ended
    })
    expect(await server.jobs.list(project)).toMatchObject({ jobs: [{ id: job.id, state: 'queued' }], hasMore: false })
    await expect(server.jobs.list(leaving)).rejects.toMatchObject(cancelled)
  })
})
