import { afterAll, beforeAll, expect, test } from 'vitest'
import { aStart } from '../../contract-tests/testing/call-builders.ts'
import { startTestApp, type TestApp, type TestServer } from '../../testing/start-test-app.ts'

const minute = 60_000_000
/** 2030-03-17T17:47 */
const firstMinute = 1_900_000_020_000_000
let now = firstMinute
let app: TestApp
let server: TestServer
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** Starts another server, whose history so far holds only the rows that the shared store had inserted. */
async function startServer(): Promise<void> {
  now = firstMinute
  server = await app.anotherServer({ clock: () => now })
  await server.client.service.history({})
  now += minute
}

const readParts = async (range: { minutes?: number; step_minutes?: number } = {}) => (await server.client.service.history(range)).parts

test('what is stored and answered is counted in its minute', async () => {
  await startServer()
  const project_id = app.newProject()
  await server.client.calls.start({ start: aStart({ project_id }) })
  await expect(readParts({ minutes: 0 })).rejects.toThrow()
  now += 30_000_000
  const [, part] = await readParts()
  expect(part).toMatchObject({ inserted_rows: { calls: 1 }, rejected_spans: 0, jobs_queued: 0 })
  // The first read has ended in this minute too.
  expect(part?.by_status).toEqual({ 200: 2, 422: 1 })
  expect(part?.request_p95_ms).toBeGreaterThan(0)
  expect(part?.memory_bytes).toBeGreaterThan(1e7)
  now += minute
  const [, before, next] = await readParts()
  expect(before).toEqual(part)
  expect(next?.by_status).toEqual({ 200: 1 })
})

test('a part adds up its step and starts at a multiple of it, and minutes before the range are left out', async () => {
  await startServer()
  for (let read = 0; read < 9; read++, now += minute) await readParts()
  const fives = await readParts({ step_minutes: 5 })
  expect(fives.map(({ started_at, by_status }) => [started_at, by_status['200'] ?? 0])).toEqual([
    ['2030-03-17T17:45:00Z', 2],
    ['2030-03-17T17:50:00Z', 5],
    ['2030-03-17T17:55:00Z', 3],
  ])
  const starts = (await readParts({ minutes: 3 })).map(({ started_at }) => started_at.slice(11, 16))
  expect(starts).toEqual(['17:55', '17:56', '17:57'])
})

test('minutes of the last day are kept', async () => {
  await startServer()
  await readParts()
  now += 1_438 * minute
  expect(await readParts({ minutes: 1_440 })).toHaveLength(3)
  now += 2 * minute
  expect(await readParts({ minutes: 1_440 })).toHaveLength(2)
})

test.each([
  [{ minutes: 1_441 }, 'minutes'],
  [{ minutes: 0 }, 'minutes'],
  [{ step_minutes: 61 }, 'step_minutes'],
])('%j is refused and names its field', async (range, field) => {
  await startServer()
  await expect(readParts(range)).rejects.toMatchObject({ status: 422, message: expect.stringContaining(field) as unknown })
})

test('only an admin key for all projects may see it', async () => {
  const client = await app.clientFor({ name: 'admin of one entity', role: 'admin', entity: 'theirs' })
  await expect(client.service.history({})).rejects.toMatchObject({ status: 403 })
})
