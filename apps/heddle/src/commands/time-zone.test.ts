import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { recordEvaluation } from '../testing/record-evaluation.ts'
import { runCommandHere } from '../testing/run-command.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import type { TestServer } from '../test-server/create-test-server.ts'

// Each test runs a command or two, which a busy machine makes wait.
vi.setConfig({ testTimeout: 120_000 })

let server: TestServer
let project: string
let client: ReturnType<typeof createClient<typeof tracing>>
/** Ids of two traces an hour apart, which a clock in Berlin shows alike. */
const traces = { before: randomUUID(), after: randomUUID() }

beforeAll(async () => {
  server = await shareBuiltTestServer()
  project = server.newProject()
  client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  const [entity = '', name = ''] = project.split('/')
  const one = { project_id: project, op_name: 'answer', attributes: {}, inputs: {}, output: null, summary: {} }
  const at = (id: string, time: string) => ({ ...one, id, trace_id: id, started_at: time, ended_at: time })
  const batch = [at(traces.before, '2026-10-25T00:30:00Z'), at(traces.after, '2026-10-25T01:30:00Z')]
  await client.calls.complete({ entity, project: name, batch })
  const startedAtMs = Date.parse('2026-03-29T01:00:00Z')
  await recordEvaluation(client, { project, name: 'spring', model: 'small', trials: [{ example: 1, scores: { ok: true } }], startedAtMs })
})
afterAll(() => server.close())

const run = (args: readonly string[], environment: Record<string, string> = {}) =>
  runCommandHere([...args, '--project', project, '--url', server.url], { HEDDLE_API_KEY: server.apiKey, ...environment })
const berlin = ['--time-zone', 'Europe/Berlin']

test('tables show times on the clock of the chosen zone, with the offset that tells equal times apart', async () => {
  const { out } = await run(['traces', 'list', ...berlin])
  expect(out).toMatch(/^STARTED \(Europe\/Berlin\)/)
  expect(out).toMatch(/^2026-10-25 02:30:00\+01:00 .*\n2026-10-25 02:30:00\+02:00 /m)
  const { out: runs } = await run(['eval', 'list', ...berlin])
  expect(runs).toMatch(/^2026-03-29 03:00:00\+02:00 +spring/m)
})

test.each([
  ['UTC', '2026-10-25 00:30:00 UTC'],
  ['Europe/Berlin', '2026-10-25 02:30:00+02:00'],
  ['America/St_Johns', '2026-10-24 22:00:00-02:30'],
  ['Australia/Lord_Howe', '2026-10-25 11:30:00+11:00'],
])('in %s a trace began at %s', async (zone, text) => {
  const { out } = await run(['traces', 'show', traces.before], { HEDDLE_TIME_ZONE: zone })
  expect(out.split('\n')[0]).toContain(` · ${text} · `)
})

test('the flag wins over the variable, and JSON is in UTC whatever the zone', async () => {
  const { out } = await run(['eval', 'show', '--time-zone', 'UTC'], { HEDDLE_TIME_ZONE: 'Europe/Berlin' })
  expect(out).toContain('2026-03-29 01:00:00 UTC')
  const { out: json } = await run(['traces', 'list', '--limit', '1', '--json', ...berlin])
  expect(JSON.parse(json)).toMatchObject([{ started_at: '2026-10-25T01:30:00Z' }])
})

test('a name that is not a time zone is refused with what is allowed', async () => {
  const { code, note } = await run(['traces', 'list', '--time-zone', 'Mars/Olympus'])
  expect([code, note]).toEqual([
    2,
    'heddle: --time-zone must be a name of the time zone database, such as Europe/Berlin or UTC, got "Mars/Olympus"\n',
  ])
})
