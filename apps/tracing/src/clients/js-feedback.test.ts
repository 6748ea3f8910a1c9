import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readCalls } from './testing/call-tree.ts'
import { runProgram } from './testing/run-program.ts'
import { startServer, type ServerUnderTest } from './testing/start-server.ts'

let server: ServerUnderTest
let project_id: string
beforeAll(async () => {
  server = await startServer()
  project_id = server.newProject()
  const env = { WF_TRACE_SERVER_URL: server.url, WANDB_API_KEY: server.apiKey }
  await runProgram({ name: 'js-feedback.mjs', args: [project_id], env })
})
afterEach(() => expect(server.failures).toEqual([]))
afterAll(() => server.close())

test('the evaluation logger of the JavaScript client gives each score as feedback on its prediction', async () => {
  const calls = await readCalls(server, project_id)
  const ids = new Set(calls.map(({ id }) => id))
  const { result, total_count } = await server.client.feedback.query({ project_id })
  expect(total_count).toBe(4)
  expect(result.map(({ feedback_type, payload }) => [feedback_type, payload?.output])).toEqual([
    ['wandb.runnable.accuracy', 0.95],
    ['wandb.runnable.verdict', { ok: true, words: ['one'] }],
    ['wandb.runnable.accuracy', 0.25],
    ['wandb.runnable.verdict', { ok: false, words: ['one'] }],
  ])
  for (const { weave_ref, call_ref, runnable_ref } of result) {
    for (const ref of [weave_ref, call_ref]) expect(ids).toContain(ref?.split('/').at(-1))
    expect(runnable_ref).toContain(`weave:///${project_id}/`)
  }
})

test('its calls are found by those scores', async () => {
  const query = { $expr: { $gt: [{ $getField: 'feedback.[wandb.runnable.accuracy].payload.output' }, { $literal: 0.5 }] } }
  const { calls } = await server.client.calls.query({ project_id, query, include_feedback: true })
  expect(calls).toMatchObject([{ output: 'because', summary: { weave: { feedback: [{}, {}] } } }])
})
