import { readFileSync } from 'node:fs'
import { parseJson, stringifyJson } from '@heddle/json'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'
import { sendRaw } from './testing/send-raw.ts'

interface Expectation {
  ids?: string[]
  status?: number
  reason?: string
}

interface VectorCase {
  name: string
  query?: unknown
  filter?: unknown
  sort_by?: unknown
  limit?: number
  offset?: number
  expand_columns?: string[]
  expect: Expectation
  heddle_expect?: Expectation
}

interface Vectors {
  project_id: string
  objects: { object_id: string; val: unknown; digest: string }[]
  calls: { label: string; id: string; ended_at?: string }[]
  feedback: Record<string, unknown>[]
  cases: VectorCase[]
}

const vectors = parseJson(readFileSync(new URL('../vectors/query-vectors.json', import.meta.url), 'utf8')) as unknown as Vectors

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  for (const { object_id, val, digest } of vectors.objects) {
    const created = await post('/obj/create', { obj: { project_id: vectors.project_id, object_id, val } })
    expect(created.body).toMatchObject({ digest })
  }
  const halves = vectors.calls.flatMap((call) => {
    const record = { ...call, project_id: vectors.project_id }
    return call.ended_at === undefined ? [{ req: { start: record } }] : [{ req: { start: record } }, { req: { end: record } }]
  })
  expect(await post('/call/upsert_batch', { batch: halves })).toMatchObject({ status: 200 })
  const feedback = vectors.feedback.map((given) => ({ ...given, project_id: vectors.project_id }))
  expect(await post('/feedback/batch/create', { batch: feedback })).toMatchObject({ status: 200 })
})
afterAll(() => app.close())

const post = (path: string, body: unknown) => sendRaw(app, { path, body: stringifyJson(body) })

test.each(vectors.cases)('$name', async ({ expect: recorded, heddle_expect, ...request }) => {
  const { filter, query, sort_by, limit, offset, expand_columns } = request
  const { ids, status, reason } = heddle_expect ?? recorded
  const answer = await post('/calls/stream_query', {
    project_id: vectors.project_id,
    filter,
    query,
    sort_by,
    limit,
    offset,
    expand_columns,
  })
  expect(answer.status).toBe(status ?? 200)
  if (reason !== undefined) expect(answer.text).toContain(reason)
  if (ids === undefined) return
  const found = answer.text.split('\n').filter((line) => line !== '')
  expect(found.map((line) => `c${(JSON.parse(line) as { id: string }).id.slice(-1)}`)).toEqual(ids)
  if (limit !== undefined || offset !== undefined) return
  const counted = await post('/calls/query_stats', { project_id: vectors.project_id, filter, query, expand_columns })
  expect(counted.body).toMatchObject({ count: ids.length })
})
