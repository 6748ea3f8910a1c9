import { trials } from '@heddle/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readCalls } from './testing/call-tree.ts'
import { runProgram } from './testing/run-program.ts'
import { startServer, type ServerUnderTest } from './testing/start-server.ts'

let server: ServerUnderTest
let project_id: string
const rowCount = trials({ usual: 3_000, long: 100_000 })
/** What the client itself read back. */
let seen: { ref: string; rowRef: string; length: number; isDataset: boolean; name: string; firstWrong: number; input: unknown }
beforeAll(async () => {
  server = await startServer()
  project_id = server.newProject()
  const env = { WF_TRACE_SERVER_URL: server.url, WANDB_API_KEY: server.apiKey }
  const output = await runProgram({
    name: 'js-datasets.mjs',
    args: [project_id, String(rowCount)],
    env,
    timeLimitMs: trials({ usual: 60_000, long: 240_000 }),
  })
  seen = JSON.parse(output.split('\n').at(-1) ?? '') as typeof seen
}, 300_000)
afterEach(() => expect(server.failures).toEqual([]))
afterAll(() => server.close())

test('the JavaScript client saves a dataset and reads every row of it back, in order', () => {
  expect(seen).toMatchObject({ length: rowCount, isDataset: true, name: 'questions', firstWrong: -1 })
})

test('the dataset holds a table, which counts all positions and stores a repeated row once', async () => {
  const [object_id = '', digest = ''] = seen.ref.split('/').at(-1)?.split(':') ?? []
  const { obj } = await server.client.objects.read({ project_id, object_id, digest })
  expect(obj).toMatchObject({ base_object_class: 'Dataset', val: { rows: expect.stringMatching(/\/table\/[0-9a-f]{64}$/) } })
  const table = (obj.val as { rows: string }).rows.split('/').at(-1) ?? ''
  expect(await server.client.tables.queryStats({ project_id, digest: table })).toEqual({ count: rowCount })
  const { rows } = await server.client.tables.query({ project_id, digest: table, limit: 1, offset: rowCount - 1 })
  expect(rows).toMatchObject([{ val: { id: '0' }, original_index: rowCount - 1 }])
  expect(rows[0]?.digest).toBe((await server.client.tables.query({ project_id, digest: table, limit: 1 })).rows[0]?.digest)
})

test('a row of the saved dataset is recorded as a reference, which leads to it and by which calls are found', async () => {
  const row = { id: '1', question: 'What is 1? 世界', score: 0.5, tags: ['a', { deep: null }] }
  expect((await server.client.refs.readBatch({ refs: [seen.rowRef] })).vals).toEqual([row])
  const [call] = await readCalls(server, project_id)
  const place = Object.keys(call?.inputs ?? {})[0]
  const query = {
    $expr: { $eq: [{ $getField: `inputs.${place}.example.id` }, { $literal: '1' }] as [{ $getField: string }, { $literal: string }] },
  }
  const { calls } = await server.client.calls.query({ project_id, query, expand_columns: [`inputs.${place}.example`] })
  expect(calls).toMatchObject([{ id: call?.id, inputs: { [place ?? '']: { example: seen.rowRef } } }])
})
