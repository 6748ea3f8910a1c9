import { randomUUID } from 'node:crypto'
import type { RelationalStore } from '@heddle/datastore'
import { createVirtualClock } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { JobAborted } from '../handler.ts'
import { sqlJobsStore } from '../store/jobs-store.sql.ts'
import { gatedHandler } from '../testing/gated-handler.ts'
import { newTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { type TestJobs, testServers } from '../testing/test-servers.ts'

const leaseMs = 10_000

describe.each(['sqlite', 'postgres'] as const)('leases on %s', (dialect) => {
  const isMissing = dialect === 'postgres' && inject('postgresUrl') === ''
  let store: TestDatabase
  let database: RelationalStore
  beforeAll(async () => {
    if (isMissing) return
    store = await newTestDatabase(dialect)
    database = store.database
  })
  afterAll(() => store?.close())

  /** Two servers, and a job that runs on the first. */
  async function twoServers({ maxAttempts = 3 } = {}) {
    const servers = testServers()
    const queue = randomUUID()
    const first = servers.start(database, { queue })
    const second = servers.start(dialect === 'sqlite' ? database : await store.connect(), { queue })
    const project = await first.project(`acme/${randomUUID()}`)
    const gate = gatedHandler({ ignoresAborts: true })
    const other = gatedHandler()
    const worker = first.startWorker({ kinds: { a: gate.handler }, leaseMs })
    const { job } = await first.jobs.enqueue(project, { kind: 'a', payload: null, maxAttempts })
    await first.advanceUntil(() => gate.running.length === 1)
    const startSecond = () => second.startWorker({ kinds: { a: other.handler }, leaseMs })
    return { first, second, startSecond, worker, gate, other, queue, id: job.id, read: () => second.jobs.get(project, job.id), project }
  }

  const isFenced = async ({ gate }: { gate: ReturnType<typeof gatedHandler> }) => {
    const [context] = gate.contexts
    await expect(context?.saveState('stale')).rejects.toThrow(JobAborted)
    await expect(context?.commit(async () => 1)).rejects.toThrow(JobAborted)
  }

  test.skipIf(isMissing)('a job whose worker lives stays with it, however long it runs', async () => {
    const both = await twoServers()
    both.startSecond()
    await both.first.advance(5 * leaseMs)
    expect(await both.read()).toMatchObject({ state: 'running', attempt: 1 })
    expect(both.other.started).toEqual([])
    both.gate.end(both.id)
    await both.first.advanceUntil(async () => (await both.read())?.state === 'succeeded')
  })

  test.skipIf(isMissing)('a job whose server died is resumed by another, and the dead one can write no more', async () => {
    const both = await twoServers()
    await both.gate.contexts[0]?.saveState('half')
    both.first.crash()
    both.startSecond()
    await both.second.advanceUntil(() => both.other.running.length === 1)
    expect(both.other.running).toMatchObject([{ id: both.id, attempt: 2, savedState: 'half' }])
    both.first.setDatabase('well')
    await isFenced(both)
    both.gate.end(both.id)
    await both.second.advance(1_000)
    expect(await both.read()).toMatchObject({ state: 'running', attempt: 2, error: expect.stringContaining('attempt 1 of 3') })
    both.other.end(both.id)
    await both.second.advanceUntil(async () => (await both.read())?.state === 'succeeded')
    expect(await both.second.jobs.stats()).toMatchObject({ expired: 1, running: 0, finished: 1 })
  })

  test.skipIf(isMissing)('a job that its servers do not survive fails after its attempts', async () => {
    const both = await twoServers({ maxAttempts: 1 })
    both.first.crash()
    both.startSecond()
    await both.second.advanceUntil(async () => (await both.read())?.state === 'failed')
    expect(await both.read()).toMatchObject({ error: 'its worker ended without finishing it (attempt 1 of 1)' })
    expect(both.other.started).toEqual([])
  })

  test.skipIf(isMissing)('a job that was to be cancelled when its server died is cancelled', async () => {
    const both = await twoServers()
    both.first.crash()
    await both.second.jobs.cancel(both.project, both.id)
    both.startSecond()
    await both.second.advanceUntil(async () => (await both.read())?.state === 'cancelled')
    expect(both.other.started).toEqual([])
  })

  test.skipIf(isMissing)('the only server takes over at once what the one before it left', async () => {
    const both = await twoServers()
    both.first.crash()
    both.second.startWorker({ kinds: { a: both.other.handler }, leaseMs, isOnlyServer: true })
    await both.second.advance(2_500)
    expect(both.other.running).toMatchObject([{ id: both.id, attempt: 2 }])
    both.second.startWorker({ kinds: { a: both.other.handler }, leaseMs, isOnlyServer: true })
    await both.second.advance(5_000)
    expect(both.other.started).toHaveLength(1)
  })

  test.skipIf(isMissing)('a worker that cannot reach the database aborts its jobs, and does not settle what another may run', async () => {
    const both = await twoServers()
    both.first.setDatabase('failing')
    both.startSecond()
    await both.second.advanceUntil(() => both.gate.aborts.length > 0)
    expect(both.gate.aborts).toEqual(['lease lost'])
    await both.second.advanceUntil(() => both.other.running.length === 1)
    both.first.setDatabase('well')
    both.gate.end(both.id)
    await both.second.advance(2_000)
    await isFenced(both)
    expect(await both.read()).toMatchObject({ state: 'running', attempt: 2 })
    expect(both.first.errors.length).toBeGreaterThan(0)
  })

  test.skipIf(isMissing)('a short outage of the database costs no attempt, also when a job ends meanwhile', async () => {
    const both = await twoServers()
    both.startSecond()
    both.first.setDatabase('failing')
    await both.first.advance(2_000)
    both.gate.end(both.id)
    await both.first.advance(3_000)
    both.first.setDatabase('well')
    await both.first.advanceUntil(async () => (await both.read())?.state === 'succeeded')
    expect(await both.read()).toMatchObject({ attempt: 1 })
    expect(both.other.started).toEqual([])
  })

  test.skipIf(isMissing)('a cancellation reaches a job on another server with its next heartbeat', async () => {
    const both = await twoServers()
    await both.second.jobs.cancel(both.project, both.id)
    await both.first.advance(leaseMs)
    expect(both.gate.aborts).toEqual(['cancelled'])
    both.gate.end(both.id)
    await both.first.advanceUntil(async () => (await both.read())?.state === 'succeeded')
  })

  test.skipIf(isMissing)('wall clocks that jump, or differ between servers, take no lease away', async () => {
    let offset = 0
    const clock = createVirtualClock()
    const servers = testServers(clock)
    const queue = randomUUID()
    const at = (hours: () => number) => ({ queue, clock: () => (clock.wallClock() + hours() * 3_600_000) * 1000 })
    const first: TestJobs = servers.start(
      database,
      at(() => 0),
    )
    const second = servers.start(
      database,
      at(() => offset),
    )
    const project = await first.project(`acme/${randomUUID()}`)
    const gate = gatedHandler()
    first.startWorker({ kinds: { a: gate.handler }, leaseMs })
    second.startWorker({ kinds: { b: gate.handler }, leaseMs })
    const { job } = await first.jobs.enqueue(project, { kind: 'a', payload: null })
    for (const hours of [24, -24, 1_000, 0]) {
      offset = hours
      await first.advance(leaseMs)
    }
    expect(await first.jobs.get(project, job.id)).toMatchObject({ state: 'running', attempt: 1 })
    gate.end(job.id)
    await first.advance(100)
  })

  test.skipIf(isMissing)('an outcome that was written, and whose answer was lost, is settled again without a change', async () => {
    const both = await twoServers()
    const jobs = sqlJobsStore({ database, queue: both.queue })
    const [lease] = await jobs.listHeld()
    if (!lease) throw new Error('no lease is held')
    const outcome = { state: 'succeeded', result: '1' } as const
    expect(await jobs.settle(lease, outcome, 1)).toBe(true)
    const settled = await both.read()
    expect(await jobs.settle(lease, { state: 'succeeded', result: '2' }, 2)).toBe(true)
    expect(await both.read()).toEqual(settled)
    expect(await jobs.settle({ ...lease, token: lease.token - 1 }, outcome, 3)).toBe(false)
    expect(await jobs.expire(lease, { state: 'cancelled' }, 4)).toBe(false)
    expect(await jobs.totals()).toMatchObject({ running: 0, finished: 1 })
    both.gate.end(both.id)
  })
})
