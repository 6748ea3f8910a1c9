import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall, aStart, newId, record } from '../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

interface Vectors {
  threads: { calls: { id: string }[]; cases: { request: object; rows?: object[]; status?: number }[] }
}

const { threads } = JSON.parse(readFileSync(new URL('../../vectors/stats-vectors.json', import.meta.url), 'utf8')) as Vectors

let app: TestApp
let recorded: string
beforeAll(async () => {
  app = await startTestApp()
  recorded = app.newProject()
  await record(app.client, ...threads.calls.map((call) => aCall({ project_id: recorded, ...call, ...idsOf(call) })))
})
afterAll(() => app.close())

/** Ids that the server accepts, for labels. */
const idOf = (label: string) => `00000000-0000-7000-8000-00000000000${label.slice(1)}`
const idsOf = (call: { id: string; turn_id?: string }) => ({ id: idOf(call.id), turn_id: idOf(call.turn_id ?? call.id) })

async function ask(project_id: string, request: object = {}) {
  const answer = await sendRaw(app, { path: '/threads/stream_query', body: { project_id, ...request } })
  const lines = answer.text.split('\n').filter((line) => line !== '' && answer.status === 200)
  return { status: answer.status, text: answer.text, rows: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

type Turn = Partial<Parameters<typeof aCall>[0]> & { thread_id: string }

/** A project with a turn for each entry. */
async function withTurns(...turns: Turn[]): Promise<string> {
  const project_id = app.newProject()
  const calls = turns.map((turn) => {
    const id = turn.id ?? newId()
    return aCall({ project_id, id, turn_id: id, ...turn })
  })
  await record(app.client, ...calls)
  return project_id
}

test.each(threads.cases)('$request is answered as recorded', async ({ request, rows, status }) => {
  const answer = await ask(recorded, request)
  expect(answer.status).toBe(status ?? 200)
  if (rows === undefined) return
  const labelled = answer.rows.map((row) => ({
    ...row,
    first_turn_id: labelOf(row.first_turn_id),
    last_turn_id: labelOf(row.last_turn_id),
  }))
  expect(labelled).toEqual(rows)
})
const labelOf = (id: unknown) => `c${String(id).slice(-1)}`

test('the empty thread is listed where it is requested, and null never is', async () => {
  expect((await ask(recorded, { filter: { thread_ids: ['', 'A'] } })).rows.map((row) => row.thread_id)).toEqual(['', 'A'])
  expect((await ask(recorded, { filter: { thread_ids: null } })).rows.map((row) => row.thread_id)).toEqual(['B', 'A'])
})

test('a thread in which no turn has ended is as new as its latest start', async () => {
  const project_id = app.newProject()
  const ids = [newId(), newId()]
  for (const [index, id] of ids.entries()) {
    await app.client.calls.start({
      start: aStart({ project_id, id, turn_id: id, thread_id: 'open', started_at: `2026-03-0${index + 1}T00:00:00Z` }),
    })
  }
  expect((await ask(project_id)).rows).toEqual([
    {
      thread_id: 'open',
      turn_count: 2,
      start_time: '2026-03-01T00:00:00Z',
      last_updated: '2026-03-02T00:00:00Z',
      first_turn_id: ids[0],
      last_turn_id: ids[1],
      p50_turn_duration_ms: null,
      p99_turn_duration_ms: null,
    },
  ])
})

test('the last turn is the one that ended last, not the one that started last', async () => {
  const first = newId()
  const project_id = await withTurns(
    { thread_id: 't', id: first, started_at: '2026-03-01T00:00:00Z', ended_at: '2026-03-01T09:00:00Z' },
    { thread_id: 't', started_at: '2026-03-01T01:00:00Z', ended_at: '2026-03-01T02:00:00Z' },
  )
  expect((await ask(project_id)).rows).toMatchObject([{ first_turn_id: first, last_turn_id: first, last_updated: '2026-03-01T09:00:00Z' }])
})

test('turns count from and to moments that are themselves left out', async () => {
  const project_id = await withTurns(
    { thread_id: 't', started_at: '2026-03-01T00:00:00Z' },
    { thread_id: 't', started_at: '2026-03-02T00:00:00Z' },
  )
  const countOf = async (filter: object) => (await ask(project_id, { filter })).rows[0]?.turn_count
  expect(await countOf({ after_datetime: '2026-03-01T00:00:00Z' })).toBe(1)
  expect(await countOf({ before_datetime: '2026-03-02' })).toBe(1)
  expect(await countOf({ after_datetime: '2026-03-01', before_datetime: '2026-03-02' })).toBeUndefined()
})

test('deleted turns do not count', async () => {
  const kept = newId()
  const gone = newId()
  const project_id = await withTurns({ thread_id: 't', id: kept }, { thread_id: 't', id: gone }, { thread_id: 'all gone' })
  await app.client.calls.delete({ project_id, call_ids: [gone] })
  expect((await ask(project_id, { filter: { thread_ids: ['t'] } })).rows).toMatchObject([{ turn_count: 1, first_turn_id: kept }])
})

test('threads come in the requested order, null last in both directions, then by name', async () => {
  const project_id = await withTurns(
    { thread_id: 'b', started_at: '2026-03-01T00:00:00Z', ended_at: '2026-03-01T00:00:05Z' },
    { thread_id: 'c', started_at: '2026-03-02T00:00:00Z', ended_at: '2026-03-02T00:00:05Z' },
    { thread_id: 'd', started_at: '2026-03-03T00:00:00Z', ended_at: '2026-03-03T00:00:01Z' },
  )
  const id = newId()
  await app.client.calls.start({ start: aStart({ project_id, id, turn_id: id, thread_id: 'a' }) })
  const order = async (field: string, direction: string) =>
    (await ask(project_id, { sort_by: [{ field, direction }] })).rows.map((row) => row.thread_id).join('')
  expect(await order('p50_turn_duration_ms', 'asc')).toBe('dbca')
  expect(await order('p99_turn_duration_ms', 'desc')).toBe('bcda')
  expect(await order('thread_id', 'desc')).toBe('dcba')
  expect(await order('start_time', 'desc')).toBe('dcab')
  expect(await order('turn_count', 'desc')).toBe('abcd')
  expect(await order('last_updated', 'asc')).toBe('abcd')
  expect((await ask(project_id, { sort_by: [] })).rows.map((row) => row.thread_id).join('')).toBe('dcba')
})

test.each([
  ['limit', { limit: -1 }],
  ['offset', { offset: -1 }],
])('a negative %s is refused', async (_, request) => {
  expect((await ask(recorded, request)).status).toBe(400)
})

test('a limit of 0 finds nothing, and an unknown project has no threads', async () => {
  expect(await ask(recorded, { limit: 0 })).toMatchObject({ status: 200, text: '' })
  expect(await ask(app.newProject())).toMatchObject({ status: 200, text: '' })
})

test('a thread with a longer id than is stored is found by the id that was sent, and differs from one with the same beginning', async () => {
  const long = '"'.repeat(3_000)
  const project_id = await withTurns({ thread_id: `${long}a` }, { thread_id: `${long}b` }, { thread_id: 'short' })
  const [first, ...others] = (await ask(project_id, { filter: { thread_ids: [`${long}a`] } })).rows
  expect(others).toEqual([])
  expect(first!.thread_id).toMatch(/^"{959}:[0-9a-f]{64}$/)
  const byThread = await app.client.calls.query({ project_id, filter: { thread_ids: [`${long}a`, 'short'] } })
  expect(byThread.calls.map((call) => call.thread_id).toSorted()).toEqual([first!.thread_id, 'short'].toSorted())
  const turns: string[] = []
  for await (const turn of app.client.threads.streamTurns({ project_id, thread_id: `${long}b` })) turns.push(turn.id)
  expect(turns).toHaveLength(1)
  expect(turns).not.toContain(first!.last_turn_id)
})

test('a turn with a longer id than is stored is found by the id that was sent', async () => {
  const project_id = app.newProject()
  const turn_id = 't'.repeat(2_000)
  await record(app.client, aCall({ project_id, id: newId(), thread_id: 'T', turn_id }))
  const { calls } = await app.client.calls.query({ project_id, filter: { turn_ids: [turn_id] } })
  expect(calls.map((call) => call.turn_id)).toEqual([expect.stringMatching(/^t{959}:[0-9a-f]{64}$/)])
})
