import { randomUUID } from 'node:crypto'
import { notFound } from '@heddle/core-api/internal'
import type { RelationalStore } from '@heddle/datastore'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { JobAborted, type JobContext, type JobHandler, type RunningJob } from '../handler.ts'
import type { NewJob } from '../job.ts'
import { JobFailure } from '../job-failure.ts'
import { jobLimits } from '../job-limits.ts'
import { type GatedHandler, gatedHandler } from '../testing/gated-handler.ts'
import { newTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { type TestJobs, testServers } from '../testing/test-servers.ts'

const aJob = (over: Partial<NewJob> = {}): NewJob => ({ kind: 'a', payload: null, ...over })

describe.each(['sqlite', 'postgres'] as const)('workers on %s', (dialect) => {
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

  afterEach(() => {
    if (!isMissing) expect(server.errors).toEqual([])
  })

  const aProject = () => server.project(`acme/${randomUUID()}`)
  const start = (a: JobHandler, options: Partial<Parameters<TestJobs['startWorker']>[0]> = {}) =>
    server.startWorker({ kinds: { a }, ...options })
  const enqueueTo = async (project: Awaited<ReturnType<typeof aProject>>, over: Partial<NewJob> = {}) => {
    const { job } = await server.jobs.enqueue(project, aJob(over))
    return {
      id: job.id,
      read: () => server.jobs.get(project, job.id),
      is: async (state: string) => (await server.jobs.get(project, job.id))?.state === state,
    }
  }
  const enqueue = async (over: Partial<NewJob> = {}) => enqueueTo(await aProject(), over)

  test.skipIf(isMissing)('a handler gets its job, and what it returns is the result', async () => {
    const project = await aProject()
    const seen: RunningJob[] = []
    start(async (job) => {
      seen.push(job)
      return { done: job.payload }
    })
    const job = await enqueueTo(project, { payload: { x: [1] }, serialKey: 's' })
    await server.advanceUntil(() => job.is('succeeded'))
    expect(seen).toMatchObject([
      { id: job.id, kind: 'a', payload: { x: [1] }, serialKey: 's', attempt: 1, maxAttempts: 3, savedState: null },
    ])
    expect(seen[0]?.project).toMatchObject({ id: project.id, tenant: { project: project.id } })
    expect(await job.read()).toMatchObject({
      result: { done: { x: [1] } },
      error: null,
      attempt: 1,
      startedAt: expect.any(Number),
      endedAt: expect.any(Number),
    })
    expect(await server.jobs.stats()).toMatchObject({ waiting: 0, running: 0, finished: 1, started: 1, succeeded: 1 })
  })

  test.skipIf(isMissing)('nothing returned is the result null', async () => {
    start(async () => undefined)
    const job = await enqueue()
    await server.advanceUntil(() => job.is('succeeded'))
    expect(await job.read()).toMatchObject({ result: null })
  })

  test.skipIf(isMissing)('an error is tried again after a delay that grows, until the attempts are used up', async () => {
    const starts: number[] = []
    start(async () => {
      starts.push(server.now() / 1e6)
      throw new Error('a secret')
    })
    const job = await enqueue({ maxAttempts: 4 })
    await server.advanceUntil(() => job.is('failed'))
    const delays = starts.slice(1).map((at, index) => at - (starts[index] ?? 0))
    expect(delays).toHaveLength(3)
    // 0.75, 1.5 and 3 seconds with the randomness of tests, and up to the next look for work.
    for (const [index, delay] of delays.entries()) {
      expect(delay).toBeGreaterThanOrEqual(0.75 * 2 ** index)
      expect(delay).toBeLessThan(0.75 * 2 ** index + 1.5)
    }
    expect(await job.read()).toMatchObject({ attempt: 4, error: 'the job failed unexpectedly (Error)', result: null })
    expect(await server.jobs.stats()).toMatchObject({ started: 4, retried: 3, failed: 1 })
  })

  test.skipIf(isMissing)('a failure says why, and a later success takes that back', async () => {
    start(async ({ attempt }) => {
      if (attempt === 1) throw new JobFailure('the provider is busy\0', { retryAfterMs: 20_000 })
      return attempt
    })
    const job = await enqueue()
    await server.advance(19_000)
    expect(await job.read()).toMatchObject({ state: 'queued', attempt: 1, error: 'the provider is busy' })
    await server.advanceUntil(() => job.is('succeeded'))
    expect(await job.read()).toMatchObject({ attempt: 2, error: null })
  })

  test.skipIf(isMissing)('a permanent failure, a refusal and a result that cannot be stored end the job at once', async () => {
    const ways: Record<string, () => unknown> = {
      permanent: () => Promise.reject(new JobFailure('bad reference', { isPermanent: true })),
      refusal: () => Promise.reject(notFound('no such object')),
      large: () => 'x'.repeat(jobLimits.resultBytes),
      circular: () => {
        const value: unknown[] = []
        value.push(value)
        return value
      },
    }
    start(async ({ payload }) => ways[String(payload)]?.())
    const jobs = await Promise.all(Object.keys(ways).map((payload) => enqueue({ payload })))
    for (const job of jobs) await server.advanceUntil(() => job.is('failed'))
    expect(await Promise.all(jobs.map((job) => job.read()))).toMatchObject([
      { attempt: 1, error: 'bad reference' },
      { attempt: 1, error: 'no such object' },
      { attempt: 1, error: expect.stringContaining('at most 262144') },
      { attempt: 1, error: expect.stringContaining('cannot be written as JSON') },
    ])
  })

  test.skipIf(isMissing)('jobs of one project start in their order, and a delayed one at its time', async () => {
    const order: unknown[] = []
    const project = await aProject()
    const later = await enqueueTo(project, { payload: 'later', runAfter: server.now() + 10_000_000 })
    for (const payload of [1, 2, 3, 4, 5]) await enqueueTo(project, { payload })
    start(async ({ payload }) => void order.push(payload), { concurrency: 1 })
    await server.advance(9_000)
    expect(order).toEqual([1, 2, 3, 4, 5])
    await server.advanceUntil(() => later.is('succeeded'))
    expect(order).toEqual([1, 2, 3, 4, 5, 'later'])
  })

  test.skipIf(isMissing)(
    'jobs of one serial key run one at a time, in their order, also while one waits for its next attempt',
    async () => {
      const order: string[] = []
      const project = await aProject()
      const jobs: { is(state: string): Promise<boolean> }[] = []
      for (const payload of [1, 2, 3]) jobs.push(await enqueueTo(project, { payload, serialKey: 'model' }))
      const beside = await enqueueTo(project, { payload: 'beside', serialKey: 'other' })
      start(
        async ({ payload, attempt }) => {
          order.push(`${String(payload)}.${attempt}`)
          if (payload === 1 && attempt === 1) throw new Error('again')
        },
        { concurrency: 4 },
      )
      await server.advanceUntil(async () => (await jobs[2]?.is('succeeded')) === true)
      expect(await beside.is('succeeded')).toBe(true)
      expect(order.filter((start) => !start.startsWith('beside'))).toEqual(['1.1', '1.2', '2.1', '3.1'])
    },
  )

  test.skipIf(isMissing)('the next job of a serial key runs after one that failed or was cancelled, whichever it was', async () => {
    const project = await aProject()
    const first = await enqueueTo(project, { serialKey: 's' })
    const second = await enqueueTo(project, { serialKey: 's' })
    const third = await enqueueTo(project, { serialKey: 's', payload: 'fails', maxAttempts: 1 })
    const fourth = await enqueueTo(project, { serialKey: 's' })
    await server.jobs.cancel(project, second.id)
    await server.jobs.cancel(project, first.id)
    start(async ({ payload }) => {
      if (payload === 'fails') throw new Error('fails')
    })
    await server.advanceUntil(() => fourth.is('succeeded'))
    expect(await third.is('failed')).toBe(true)
  })

  test.skipIf(isMissing)('a project with many jobs leaves a place to others, and they take turns', async () => {
    const [busy, quiet] = [await aProject(), await aProject()]
    const gate: GatedHandler = gatedHandler()
    await server.jobs.enqueueAll(
      busy,
      Array.from({ length: 20 }, () => aJob()),
    )
    start(gate.handler, { concurrency: 3 })
    await server.advance(2_000)
    expect(gate.running.map(({ project }) => project.id)).toEqual([busy.id, busy.id])
    await server.jobs.enqueueAll(
      quiet,
      Array.from({ length: 3 }, () => aJob()),
    )
    await server.advance(100)
    const starts = () => gate.started.slice(2).map((job) => (job.project.id === busy.id ? 'busy' : 'quiet'))
    expect(starts()).toEqual(['quiet'])
    for (let ends = 0; ends < 4; ends++) {
      gate.end(gate.running[0]?.id)
      await server.advance(100)
    }
    // Both have one job when the first of the busy project has ended, and the other was started last.
    expect(starts()).toEqual(['quiet', 'busy', 'quiet', 'busy', 'quiet'])
  })

  test.skipIf(isMissing)('with one place, projects take turns', async () => {
    const [one, other] = [await aProject(), await aProject()]
    const order: string[] = []
    await server.jobs.enqueueAll(
      one,
      Array.from({ length: 5 }, () => aJob()),
    )
    await server.jobs.enqueueAll(
      other,
      Array.from({ length: 2 }, () => aJob()),
    )
    start(async ({ project }) => void order.push(project.id === one.id ? 'one' : 'other'), { concurrency: 1 })
    await server.advanceUntil(() => order.length === 7)
    expect(order.join(' ')).toMatch(/^(one other one other|other one other one) one one one$/)
  })

  test.skipIf(isMissing)('jobs of a kind without a handler wait for a worker that has one', async () => {
    start(async () => 1)
    const job = await enqueue({ kind: 'b' })
    await server.advance(5_000)
    expect(await job.read()).toMatchObject({ state: 'queued', attempt: 0 })
    start(async () => 2, { kinds: { b: async () => 3 } })
    await server.advanceUntil(() => job.is('succeeded'))
    expect(await job.read()).toMatchObject({ result: 3 })
  })

  test.skipIf(isMissing)('a job that runs is cancelled by its signal, and is so when its handler has ended', async () => {
    const project = await aProject()
    const gate = gatedHandler()
    start(gate.handler)
    const job = await enqueueTo(project)
    await server.advanceUntil(() => gate.running.length === 1)
    expect(await server.jobs.cancel(project, job.id)).toMatchObject({ state: 'running', cancelRequestedAt: expect.any(Number) })
    await server.advanceUntil(() => job.is('cancelled'))
    expect(gate.aborts).toEqual(['cancelled'])
    expect(await job.read()).toMatchObject({ error: null, endedAt: expect.any(Number) })
  })

  test.skipIf(isMissing)('a handler that returns all the same has succeeded', async () => {
    const project = await aProject()
    const gate = gatedHandler({ ignoresAborts: true })
    start(gate.handler)
    const job = await enqueueTo(project)
    await server.advanceUntil(() => gate.running.length === 1)
    await server.jobs.cancel(project, job.id)
    await server.advance(1_000)
    gate.end(job.id)
    await server.advanceUntil(() => job.is('succeeded'))
  })

  test.skipIf(isMissing)('a job whose handler ignores its signal is cancelled without it, and keeps its place', async () => {
    const project = await aProject()
    const gate = gatedHandler({ ignoresAborts: true })
    start(gate.handler, { concurrency: 1 })
    const job = await enqueueTo(project)
    await server.advanceUntil(() => gate.running.length === 1)
    const context = gate.contexts[0]
    await server.jobs.cancel(project, job.id)
    await server.advance(11_000)
    expect(await job.is('cancelled')).toBe(true)
    const next = await enqueueTo(project)
    await server.advance(5_000)
    expect(await next.is('queued')).toBe(true)
    await expect(context?.saveState(1)).rejects.toThrow(JobAborted)
    gate.end(job.id)
    await server.advanceUntil(() => gate.started.length === 2)
    expect(await job.read()).toMatchObject({ state: 'cancelled', result: null })
    gate.end(next.id)
  })

  test.skipIf(isMissing)('an attempt above its time limit fails', async () => {
    const gate = gatedHandler()
    start(gate.handler, { timeLimitMs: 5_000 })
    const job = await enqueue({ maxAttempts: 1 })
    await server.advanceUntil(() => job.is('failed'))
    expect(gate.aborts).toEqual(['time limit'])
    expect(await job.read()).toMatchObject({ error: 'the job ran longer than its time limit' })
  })

  test.skipIf(isMissing)('the last of several progress reports is stored', async () => {
    let context: JobContext | undefined
    const gate = gatedHandler({ onStart: (_job, given) => (context = given) })
    start(gate.handler)
    const job = await enqueue()
    await server.advanceUntil(() => context !== undefined)
    expect(await job.read()).toMatchObject({ progress: null })
    for (const fraction of [0.1, 0.2, 0.3]) context?.progress(fraction, { rows: fraction * 10 })
    await server.advance(1_500)
    expect(await job.read()).toMatchObject({ progress: { fraction: 0.3, value: { rows: 3 } } })
    expect(() => context?.progress(1.5)).toThrow('got 1.5')
    expect(() => context?.progress(0.5, 'x'.repeat(5_000))).toThrow('at most 4096')
    context?.progress(1)
    gate.end(job.id)
    await server.advanceUntil(() => job.is('succeeded'))
    expect(await job.read()).toMatchObject({ progress: { fraction: 1, value: null } })
  })

  test.skipIf(isMissing)('a later attempt starts from the state that was saved last', async () => {
    start(async ({ attempt, savedState }, { saveState }) => {
      if (attempt === 3) return savedState
      await saveState({ row: attempt * 10, before: savedState })
      throw new Error('again')
    })
    const job = await enqueue()
    await server.advanceUntil(() => job.is('succeeded'))
    expect(await job.read()).toMatchObject({ result: { row: 20, before: { row: 10, before: null } } })
  })

  test.skipIf(isMissing)('a saved state has a bound', async () => {
    start(async (_job, { saveState }) => saveState('x'.repeat(jobLimits.savedStateBytes)))
    const job = await enqueue()
    await server.advanceUntil(() => job.is('failed'))
    expect(await job.read()).toMatchObject({ attempt: 1, error: expect.stringContaining('at most 1048576') })
  })

  test.skipIf(isMissing)('what a handler commits is committed whole, and not once its lease is lost', async () => {
    const project = await aProject()
    const gate = gatedHandler({ ignoresAborts: true })
    start(gate.handler, { timeLimitMs: 1_000, graceMs: 1_000, concurrency: 1 })
    const job = await enqueueTo(project, { maxAttempts: 1 })
    await server.advanceUntil(() => gate.running.length === 1)
    const setRetention = (days: number) =>
      gate.contexts[0]?.commit(async (transaction) => {
        await transaction.deleteFrom('project_retention').where('project_id', '=', project.id).execute()
        await transaction.insertInto('project_retention').values({ project_id: project.id, retention_days: days }).execute()
        if (days === 2) throw new Error('changed my mind')
        return days
      })
    expect(await setRetention(1)).toBe(1)
    await expect(setRetention(2)).rejects.toThrow('changed my mind')
    await server.advanceUntil(() => job.is('failed'))
    await expect(setRetention(3)).rejects.toThrow(JobAborted)
    const rows = await database.selectFrom('project_retention').select('retention_days').where('project_id', '=', project.id).execute()
    expect(rows).toEqual([{ retention_days: 1 }])
    gate.end(job.id)
  })

  test.skipIf(isMissing)('a worker that stops releases its jobs, and another resumes them at once without a further attempt', async () => {
    const servers = testServers()
    const queue = randomUUID()
    const [first, second] = [servers.start(database, { queue }), servers.start(await store.connect(), { queue })]
    const project = await first.project(`acme/${randomUUID()}`)
    const gates = [gatedHandler({ onStart: (_job, { saveState }) => void saveState('half') }), gatedHandler()]
    const worker = first.startWorker({ kinds: { a: gates[0]!.handler } })
    const { job } = await first.jobs.enqueue(project, aJob())
    await first.advanceUntil(() => gates[0]!.running.length === 1)
    const stopping = worker.stop()
    await first.advance(100)
    await stopping
    expect(gates[0]!.aborts).toEqual(['stopping'])
    expect(await first.jobs.get(project, job.id)).toMatchObject({ state: 'queued', attempt: 0, error: null })
    const other = second.startWorker({ kinds: { a: gates[1]!.handler } })
    await second.advanceUntil(() => gates[1]!.running.length === 1)
    expect(gates[1]!.running).toMatchObject([{ id: job.id, attempt: 1, savedState: 'half' }])
    expect(await first.jobs.stats()).toMatchObject({ released: 1 })
    gates[1]!.end(job.id)
    await second.advance(100)
    await other.stop()
  })

  test.skipIf(isMissing)(
    'a worker that stops lets jobs end that can in time, and does not wait for a handler that ignores it',
    async () => {
      const gate = gatedHandler({ ignoresAborts: true })
      const worker = start(gate.handler)
      const [quick, stuck] = [await enqueue(), await enqueue()]
      await server.advanceUntil(() => gate.running.length === 2)
      const stopping = worker.stop({ drainMs: 5_000 })
      await server.advance(1_000)
      gate.end(quick.id)
      await server.advance(15_000)
      await stopping
      expect(await quick.is('succeeded')).toBe(true)
      expect(await stuck.read()).toMatchObject({ state: 'queued', attempt: 0 })
      await enqueue()
      await server.advance(5_000)
      expect(gate.started).toHaveLength(2)
      gate.end(stuck.id)
    },
  )

  test.skipIf(isMissing)('the only server asks seldom while nothing waits, and starts what it enqueues at once', async () => {
    const servers = testServers()
    const [only, other] = [servers, servers].map((each) => each.start(database, { queue: 'alone' }))
    const started: unknown[] = []
    const handler: JobHandler = async ({ payload, attempt }) => {
      started.push([payload, attempt])
      if (payload === 'fails' && attempt === 1) throw new Error('again')
    }
    const worker = only!.startWorker({ kinds: { a: handler }, isOnlyServer: true })
    const project = await only!.project(`acme/${randomUUID()}`)
    await only!.advance(2_000)
    await other!.jobs.enqueue(project, aJob({ payload: 'unheard of' }))
    await only!.advance(10_000)
    expect(started).toEqual([])
    await only!.jobs.enqueue(project, aJob({ payload: 'fails' }))
    await only!.advance(100)
    expect(started).toEqual([
      ['unheard of', 1],
      ['fails', 1],
    ])
    await only!.advance(4_000)
    expect(started.at(-1)).toEqual(['fails', 2])
    await other!.jobs.enqueue(project, aJob({ payload: 'found by the next poll' }))
    await only!.advance(40_000)
    expect(started.at(-1)).toEqual(['found by the next poll', 1])
    await worker.stop()
    expect([...only!.errors, ...other!.errors]).toEqual([])
  })

  test.skipIf(isMissing)('several servers share the jobs, and start each once', async () => {
    const servers = testServers()
    const queue = randomUUID()
    const several = [
      servers.start(database, { queue }),
      servers.start(await store.connect(), { queue }),
      servers.start(await store.connect(), { queue }),
    ]
    const starts: string[] = []
    const workers = several.map((server) => server.startWorker({ kinds: { a: async ({ id }) => void starts.push(id) }, concurrency: 4 }))
    const first = several[0]!
    const projects = await Promise.all(Array.from({ length: 4 }, () => first.project(`acme/${randomUUID()}`)))
    for (const project of projects)
      await first.jobs.enqueueAll(
        project,
        Array.from({ length: 15 }, () => aJob()),
      )
    await first.advanceUntil(() => starts.length >= 60)
    await first.advance(1_000)
    expect(new Set(starts).size).toBe(60)
    expect(starts).toHaveLength(60)
    expect(await first.jobs.stats()).toMatchObject({ waiting: 0, running: 0, finished: 60 })
    const stopping = Promise.all(workers.map((worker) => worker.stop()))
    await first.advance(100)
    await stopping
    expect(several.flatMap(({ errors }) => errors)).toEqual([])
  })
})
