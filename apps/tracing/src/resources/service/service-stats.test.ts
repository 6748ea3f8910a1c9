import { randomUUID } from 'node:crypto'
import { systemTiming } from '@heddle/datastore'
import { createJobs, sqlJobsStore } from '@heddle/jobs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aStart, findCalls } from '../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'
import type { ServiceStats } from './service-stats.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const statsWith = (apiKey: string | null) => sendRaw(app, { method: 'GET', path: '/service/stats', apiKey })
const named = (name: string) => expect.objectContaining({ name }) as unknown

test('each cache is shown with its size, within its bound', async () => {
  const project_id = app.newProject()
  await app.client.calls.start({ start: aStart({ project_id }) })
  await findCalls(app.client, { project_id, limit: 1 })
  const { caches } = (await statsWith(app.apiKey)).body as ServiceStats
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
  const answer = await shared.service.fetch(
    new Request('http://local/service/stats', { headers: { authorization: `Bearer ${shared.apiKey}` } }),
  )
  const { caches } = (await answer.json()) as ServiceStats
  expect(caches.map(({ name }) => name)).toEqual(['calls.page_ranges', 'calls.latest_page_ranges', 'calls.pages'])
})

test('the queue of jobs is shown: what waits and for how long, what runs, and how jobs ended', async () => {
  const jobQueue = `stats-${randomUUID()}`
  const minute = 60_000_000
  let now = 1_900_000_000_000_000
  const server = await app.anotherServer({ jobQueue, clock: () => now })
  const readJobs = async () => {
    const headers = { authorization: `Bearer ${server.apiKey}` }
    const answer = await server.service.fetch(new Request('http://local/service/stats', { headers }))
    return ((await answer.json()) as ServiceStats).jobs
  }
  expect(await readJobs()).toMatchObject({ queued: 0, running: 0, finished: 0, oldest_wait_ms: null })

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

test('stats are for operators alone', async () => {
  const { secret } = await app.identity.createKey({ name: 'reader', role: 'reader' })
  expect(await statsWith(secret)).toMatchObject({ status: 403 })
  expect(await statsWith(null)).toMatchObject({ status: 401 })
})
