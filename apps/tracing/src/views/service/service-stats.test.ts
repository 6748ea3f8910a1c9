import { randomUUID } from 'node:crypto'
import { invariant, systemTiming } from '@heddle/datastore'
import { createJobs, sqlJobsStore } from '@heddle/jobs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aStart, findCalls } from '../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const named = (name: string) => expect.objectContaining({ name }) as unknown

test('each cache is shown with its size, within its bound', async () => {
  const project_id = app.newProject()
  await app.client.calls.start({ start: aStart({ project_id }) })
  await findCalls(app.client, { project_id, limit: 1 })
  const { caches } = await app.client.service.stats()
  const ofCalls = ['open', 'stored_ids', 'unindexed_paths', 'page_ranges', 'latest_page_ranges', 'pages']
  expect(caches).toEqual(ofCalls.map((cache) => named(`calls.${cache}`)))
  for (const { name, entries, max_entries, bytes, max_bytes } of caches) {
    expect([max_entries, max_bytes], name).not.toEqual([null, null])
    expect(entries, name).toBeLessThanOrEqual(max_entries ?? Infinity)
    expect(bytes ?? 0, name).toBeLessThanOrEqual(max_bytes ?? Infinity)
  }
  const kept = caches.filter(({ entries }) => entries > 0).map(({ name }) => name)
  expect(kept).toEqual(expect.arrayContaining(['calls.open', 'calls.stored_ids', 'calls.pages', 'calls.page_ranges']))
})

test('a server that shares its store keeps only what other servers cannot make stale', async () => {
  const shared = await app.anotherServer({ sharesStore: true })
  const { caches } = await shared.client.service.stats()
  expect(caches.map(({ name }) => name)).toEqual(['calls.page_ranges', 'calls.latest_page_ranges', 'calls.pages'])
})

test('the queue of jobs is shown: what waits and for how long, what runs, and how jobs ended', async () => {
  const jobQueue = `stats-${randomUUID()}`
  const minute = 60_000_000
  let now = 1_900_000_000_000_000
  const server = await app.anotherServer({ jobQueue, clock: () => now })
  const readJobs = async () => (await server.client.service.stats()).jobs
  // Jobs of a server that starts may still run.
  await expect.poll(readJobs).toMatchObject({ queued: 0, running: 0, finished: 0, oldest_wait_ms: null })

  const project = await server.identity.openForWork(app.newProject(), { caller: 'test', signal: new AbortController().signal })
  const store = sqlJobsStore({ database: app.stores.database, queue: jobQueue })
  const jobs = createJobs({ store, clock: () => now, timing: systemTiming, newId: randomUUID, log: { info: () => {}, error: () => {} } })
  await jobs.enqueue(project, { kind: 'first', payload: {} })
  now += minute
  await jobs.enqueueAll(
    project,
    [1, 2].map((payload) => ({ kind: 'second', payload })),
  )
  await store.claim({ owner: 'worker', kinds: ['second'], except: [], at: now })
  now += minute
  expect(await readJobs()).toMatchObject({ queued: 2, running: 1, finished: 0, oldest_wait_ms: 120_000 })
})

test('invariants that did not hold are counted by their names', async () => {
  const name = `test.${randomUUID()}`
  expect((await app.client.service.stats()).invariant_failures).not.toHaveProperty([name])
  for (let times = 0; times < 2; times++) expect(() => invariant(false, name)).toThrow(name)
  expect((await app.client.service.stats()).invariant_failures).toMatchObject({ [name]: 2 })
})

test('stats are for operators alone', async () => {
  const reader = await app.clientFor({ name: 'reader', role: 'reader' })
  await expect(reader.service.stats()).rejects.toMatchObject({ status: 403 })
  const project = await app.clientFor({ name: 'one', role: 'admin', entity: 'test' })
  await expect(project.service.stats()).rejects.toMatchObject({ status: 403 })
  expect(await sendRaw(app, { method: 'GET', path: '/service/stats', apiKey: null })).toMatchObject({ status: 401 })
})

test('requests are counted by status, what is stored by table, and the state of stores and disk is shown', async () => {
  const store = { calls: 'embedded', records: 'sqlite', files: 'folder' } as const
  const server = await app.anotherServer({ server: { store, readDisk: async () => ({ free: 5_000, reserve: 99.5 }) } })
  const before = await server.client.service.stats()
  await server.client.calls.start({ start: aStart({ project_id: app.newProject() }) })
  await expect(server.client.service.projectsInfo({ project_ids: [app.newProject()] })).rejects.toMatchObject({ status: 404 })
  const after = await server.client.service.stats()
  const { by_status } = after.requests
  expect([by_status[200], by_status[404]]).toEqual([(before.requests.by_status[200] ?? 0) + 2, 1])
  expect(after.engine.inserted_rows['calls']).toBeGreaterThan(before.engine.inserted_rows['calls'] ?? 0)
  expect(after).toMatchObject({
    version: '0.0.0-test',
    store,
    disk: { free_bytes: 5_000, reserve_bytes: 100 },
    engine: { ready: true, restarts: 0 },
  })
  expect(after.requests).toMatchObject({ cut: 0, slow: expect.any(Array), writes: { waiting: 0 }, statements: { waiting: 0 } })
  expect(Date.parse(after.started_at)).toBeLessThanOrEqual(Date.now())
})

test('a service that was not told of its server says so', async () => {
  expect(await app.client.service.stats()).toMatchObject({ store: null, disk: null })
})
