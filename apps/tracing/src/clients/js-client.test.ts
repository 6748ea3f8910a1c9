import type { Call } from '@heddle/core-api/types'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callOf, drawTree, readCalls } from './testing/call-tree.ts'
import { runProgram } from './testing/run-program.ts'
import { startServer, type ServerUnderTest } from './testing/start-server.ts'

let server: ServerUnderTest
/** What was recorded at the server, and what the client itself read back. */
let recorded: { calls: Call[]; seen: unknown }
beforeAll(async () => {
  server = await startServer()
  const project_id = server.newProject()
  // This client speaks only https to what `WANDB_BASE_URL` names, so a server without a certificate is given by this variable.
  const env = { WF_TRACE_SERVER_URL: server.url, WANDB_API_KEY: server.apiKey }
  const output = await runProgram({ name: 'js-client.mjs', args: [project_id], env })
  recorded = { calls: await readCalls(server, project_id), seen: JSON.parse(output.split('\n').at(-1) ?? '') }
})
afterEach(() => expect(server.failures).toEqual([]))
afterAll(() => server.close())

test('the JavaScript client records nested and concurrent ops as a tree', () => {
  const { calls } = recorded
  expect(drawTree(calls)).toEqual(['answer', '  search', '    embed', '  search', '    embed', 'embed', 'fail', '  embed', 'words'])
  expect(callOf(calls, 'answer')).toMatchObject({
    display_name: 'Answer: Why?',
    inputs: { arg0: 'Why?' },
    output: ['a', 'b', 'a'],
    exception: null,
    summary: { usage: { 'test-model': { prompt_tokens: 3, completion_tokens: 4 } }, weave: { status: 'success' } },
    wb_user_id: 'tester',
  })
  expect(calls.find(({ inputs }) => inputs['query'] === 'Why? 世界')).toMatchObject({
    inputs: { query: 'Why? 世界', options: { limit: 1 } },
    output: { vector: [7, 0.5], hits: ['a'] },
    trace_id: callOf(calls, 'answer').trace_id,
  })
  expect(callOf(calls, 'words').output).toEqual(['one', 'two'])
})

test('the JavaScript client records attributes where they were set, and its own beside them', () => {
  const { calls } = recorded
  const own = { client_version: expect.any(String), source: 'js-sdk' }
  for (const name of ['answer', 'search', 'embed'])
    expect(callOf(calls, name).attributes).toEqual({ weave: own, release: 'r1', tenant: 'acme', nested: { request: 7 } })
  expect(callOf(calls, 'words').attributes).toEqual({ weave: own, release: 'r1' })
})

test('the JavaScript client records an exception on the call that threw, not on what it called', () => {
  const { calls } = recorded
  const failed = callOf(calls, 'fail')
  expect(failed).toMatchObject({ exception: 'out of luck', output: null, summary: { weave: { status: 'error' } } })
  expect(calls.find((call) => call.parent_id === failed.id)).toMatchObject({ exception: null, summary: { weave: { status: 'success' } } })
})

test('the JavaScript client saves the source of an op with it', async () => {
  const { op_name, project_id } = callOf(recorded.calls, 'search')
  const [object_id = '', digest = ''] = op_name.split('/').at(-1)?.split(':') ?? []
  const { obj } = await server.client.objects.read({ project_id, object_id, digest })
  const { files } = obj.val as { files: Record<string, string> }
  const source = await server.client.files.content({ project_id, digest: files['obj.py'] ?? '' })
  expect(new TextDecoder().decode(source.bytes)).toContain('async function search(query, { limit })')
})

test('the JavaScript client reads calls by filters, a renamed call, and a published object', () => {
  expect(recorded.seen).toEqual({
    failure: 'RangeError',
    roots: ['Answer: Why?', 'fail', 'words', 'A better name'],
    searches: ['Why?', 'Why? 世界'],
    anyVersion: 1,
    traced: ['Answer: Why?', 'search', 'embed', 'search', 'embed'],
    children: ['search', 'search'],
    renamed: 'A better name',
    published: expect.objectContaining({ temperature: 0.5, stop: ['\n'] }),
  })
})
