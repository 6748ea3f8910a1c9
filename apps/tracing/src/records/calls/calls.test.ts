import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('a call that started and ended is read back', async () => {
  const project_id = app.newProject()
  const { id, trace_id } = await app.client.calls.start({
    start: { project_id, op_name: 'predict', started_at: '2026-03-01T00:00:00Z', attributes: { a: 1 }, inputs: { x: [1, 'two'] } },
  })
  await app.client.calls.end({ end: { project_id, id, ended_at: '2026-03-01T00:00:01.5Z', output: 'done', summary: {} } })
  const { call } = await app.client.calls.read({ project_id, id })
  expect(call).toMatchObject({
    id,
    trace_id,
    op_name: 'predict',
    inputs: { x: [1, 'two'] },
    output: 'done',
    ended_at: '2026-03-01T00:00:01.500000Z',
  })
  expect(call?.summary).toEqual({ weave: { status: 'success', trace_name: 'predict', latency_ms: 1500 } })
})

test('a query streams calls in order of their start', async () => {
  const project_id = app.newProject()
  for (const started_at of ['2026-03-01T00:00:02Z', '2026-03-01T00:00:01Z']) {
    await app.client.calls.start({ start: { project_id, op_name: 'op', started_at, attributes: {}, inputs: { at: started_at } } })
  }
  const found: unknown[] = []
  for await (const call of app.client.calls.streamQuery({ project_id })) found.push(call.inputs)
  expect(found).toEqual([{ at: '2026-03-01T00:00:01Z' }, { at: '2026-03-01T00:00:02Z' }])
})

test('credentials are stored as they are where an operator wants that', async () => {
  const open = await app.anotherServer({ ingest: { masksCredentials: false, spanConflicts: 'keep' } })
  const project_id = app.newProject()
  const start = { project_id, op_name: 'op', started_at: '2026-03-01T00:00:00Z', attributes: {}, inputs: { api_key: 'k-1' } }
  const shown = await open.client.calls.start({ start })
  const hidden = await app.client.calls.start({ start })
  expect((await open.client.calls.read({ project_id, id: shown.id })).call?.inputs).toEqual({ api_key: 'k-1' })
  expect((await app.client.calls.read({ project_id, id: hidden.id })).call?.inputs).toEqual({ api_key: 'REDACTED' })
})
