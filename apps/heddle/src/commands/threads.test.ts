import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TracingClient } from '../connect.ts'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { connectCurrent, type McpClient } from '../testing/mcp-clients.ts'
import { runCommandHere } from '../testing/run-command.ts'
import { newHexId, postSpans, type SentSpan } from '../testing/post-spans.ts'

let server: TestServer
let client: TracingClient
let mcp: McpClient
beforeAll(async () => {
  server = await shareBuiltTestServer()
  client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  mcp = await connectCurrent({ url: `${server.url}/mcp`, headers: { authorization: `Bearer ${server.apiKey}` } })
})
afterAll(async () => {
  await mcp?.close()
  await server?.close()
})

const startMs = Date.UTC(2026, 2, 1)
const run = (project: string, ...args: string[]) =>
  runCommandHere(['threads', ...args, '--project', project, '--url', server.url, '--time-zone', 'UTC'], { HEDDLE_API_KEY: server.apiKey })

const send = (project_id: string, ...spans: SentSpan[]) => postSpans(client, { project_id, startMs }, ...spans)

const chat = (input: number, output: number, [question, answer]: [string, string]) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'priced',
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
  'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: question }] }]),
  'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: answer }] }]),
})

/** A conversation of two traces whose roots do not name it, and another trace. */
async function recordConversation(project_id: string) {
  await client.costs.create({
    project_id,
    costs: { priced: { prompt_token_cost: 1, completion_token_cost: 10, effective_date: '2026-01-01' } },
  })
  const [first, second, other] = [newHexId(16), newHexId(16), newHexId(16)]
  const [firstRoot, secondRoot, model] = [newHexId(8), newHexId(8), newHexId(8)]
  const session = { 'session.id': 'talk' }
  await send(
    project_id,
    { trace: first, id: firstRoot, name: 'ask', second: 0 },
    {
      trace: first,
      id: newHexId(8),
      parent: firstRoot,
      name: 'chat',
      second: 1,
      attributes: { ...chat(100, 5, ['Hello?', 'Let me see']), ...session },
    },
    { trace: first, id: newHexId(8), parent: firstRoot, name: 'chat', second: 3, attributes: chat(200, 7, ['Go on', 'Here you are']) },
    { trace: second, id: secondRoot, name: 'ask again', second: 60 },
    {
      trace: second,
      id: model,
      parent: secondRoot,
      name: 'chat',
      second: 61,
      attributes: { ...chat(10, 1, ['And now?', 'Done']), ...session },
    },
    { trace: second, id: newHexId(8), parent: secondRoot, name: 'tool', second: 62, failure: 'no weather' },
    { trace: other, id: newHexId(8), name: 'alone', second: 90, attributes: { 'session.id': 'another' } },
  )
  return { first, second, firstRoot, secondRoot, model }
}

test('a thread is shown by its turns, each with what was said, its tokens, cost and failures below', async () => {
  const project = server.newProject()
  const { first, second, firstRoot, secondRoot } = await recordConversation(project)
  const list = await run(project, 'list')
  expect(list.out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['UPDATED (UTC)', 'TURNS', 'MEDIAN', 'THREAD'],
    ['2026-03-01 00:01:31', '1', '1.00 s', 'another'],
    ['2026-03-01 00:01:03', '2', '3.50 s', 'talk'],
    [''],
  ])
  const shown = await run(project, 'show', 'talk')
  expect(shown).toMatchObject({ code: 0, note: '' })
  expect(shown.out).toBe(
    [
      'thread talk · 2 turns',
      '',
      `2026-03-01 00:00:00 UTC · ask · 4.00 s · 312 tokens · cost 420 · ${first}`,
      '  user        Hello?',
      '  assistant   Here you are',
      '',
      `2026-03-01 00:01:00 UTC · ask again · 3.00 s · 11 tokens · cost 20 · error below · ${second}`,
      '  user        And now?',
      '  assistant   Done',
      '',
    ].join('\n'),
  )
  const { out } = await run(project, 'show', 'talk', '--json')
  expect(JSON.parse(out)).toMatchObject([
    { id: firstRoot, name: 'ask', trace_id: first, tokens: 312, cost: 420, status: 'success' },
    { id: secondRoot, name: 'ask again', trace_id: second, tokens: 11, cost: 20, status: 'descendant_error' },
  ])
  const one = await run(project, 'show', 'talk', '--limit', '1')
  expect(one.note).toContain('Only the first 1 turns are shown')
  expect(one.out).not.toContain(second)
})

test('a thread that is not there is refused by its name, and a project without threads says so', async () => {
  const project = server.newProject()
  expect(await run(project, 'show', 'gone')).toMatchObject({
    code: 2,
    out: '',
    note: expect.stringContaining('no thread "gone"') as string,
  })
  expect(await run(project, 'list')).toMatchObject({ code: 0, out: '', note: expect.stringContaining('has no threads') as string })
  expect((await run(project, 'list', '--json')).out).toBe('[]\n')
  expect(await run(project, 'list', '--limit', '0')).toMatchObject({ code: 2, note: expect.stringContaining('got "0"') as string })
})

const ask = async (tool: string, args: object) => (await mcp.call(tool, args as Record<string, unknown>)).structuredContent

test('assistants find the traces of a thread, and read its turns in pages', async () => {
  const project = server.newProject()
  const { first, second, firstRoot, secondRoot, model } = await recordConversation(project)
  const found = await ask('traces_search', { project, thread_id: 'talk' })
  expect(found?.data['traces']).toMatchObject([
    { call_id: secondRoot, trace_id: second, thread_id: 'talk', tokens: 11 },
    { call_id: firstRoot, trace_id: first, thread_id: 'talk', tokens: 312 },
  ])
  const inside = await ask('traces_search', { project, thread_id: 'talk', model: 'priced', text: 'And now' })
  expect(inside?.data['traces']).toMatchObject([{ call_id: model, thread_id: 'talk' }])
  expect((await ask('traces_search', { project, thread_id: 'gone', model: 'priced' }))?.data['traces']).toEqual([])

  const turns = await ask('trace_get', { project, thread_id: 'talk', limit: 1 })
  const rest = { tokens: 312, cost: 420, status: 'success', latency_ms: 4_000 }
  expect(turns?.data).toMatchObject({
    thread_id: 'talk',
    entries: [
      {
        call_id: firstRoot,
        trace_id: first,
        name: 'ask',
        ...rest,
        inputs: [{ role: 'user', content: 'Hello?' }],
        output: [{ role: 'assistant', content: 'Here you are' }],
      },
    ],
  })
  expect(turns?.page).toMatchObject({ returned: 1, total: 2 })
  const next = await ask('trace_get', { project, thread_id: 'talk', limit: 1, cursor: turns?.page?.next_cursor })
  expect(next?.data).toMatchObject({ entries: [{ call_id: secondRoot, tokens: 11, cost: 20, status: 'descendant_error' }] })
  expect(next?.page).toEqual({ returned: 1, total: 2 })

  expect((await ask('trace_get', { project, thread_id: 'gone' }))?.error).toMatchObject({ code: 'not_found' })
  expect((await ask('trace_get', { project, thread_id: 'talk', trace_id: first }))?.error).toMatchObject({ code: 'bad_request' })
})
