import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { parseExactJson, stringifyJson } from '@heddle/json/exact'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { connectCurrent } from '../testing/mcp-clients.ts'
import { recordEvaluation } from '../testing/record-evaluation.ts'
import { runCommandHere } from '../testing/run-command.ts'

/** In the order in which the structured form has them. */
const sentText = '{"ids":[9007199254740993,1.0,0.1000000000000000055511151231257827,1e400,-0]}'
const structured = { ids: ['9007199254740993', 1, '0.1000000000000000055511151231257827', '1e400', 0] }

let server: TestServer
let project: string
let mcp: Awaited<ReturnType<typeof connectCurrent>>
let traceId: string
let runs: [string, string]

beforeAll(async () => {
  server = await shareBuiltTestServer()
  project = server.newProject()
  const json = { parse: parseExactJson, stringify: stringifyJson }
  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing, json })
  const sent = parseExactJson(sentText)
  const [entity = '', name = ''] = project.split('/')
  traceId = randomUUID()
  const at = '2026-01-02T03:04:05Z'
  const arguments_ = `[{"role":"assistant","parts":[{"type":"tool_call","name":"find","arguments":${sentText}}]}]`
  const one = { project_id: project, id: traceId, trace_id: traceId, op_name: 'chat', started_at: at, ended_at: at, summary: {} }
  const batch = [{ ...one, attributes: { kind: 'llm' }, inputs: { sent }, output: { 'gen_ai.output.messages': arguments_ } }]
  await client.calls.complete({ entity, project: name, batch } as Parameters<typeof client.calls.complete>[0])
  const record = (run: string, score: string) => {
    const judge = { score: parseExactJson(score), seen: sent }
    const trials = [
      { example: sent, output: sent, scores: { judge } },
      { example: 'other', output: 'fine', scores: { judge: { score: parseExactJson('2.0') } } },
    ]
    return recordEvaluation(client, { project, name: run, model: 'small', trials })
  }
  runs = [await record('before', '1.0'), await record('after', '0.0')]
  mcp = await connectCurrent({ url: `${server.url}/mcp`, headers: { authorization: `Bearer ${server.apiKey}` } })
})
afterAll(async () => {
  await mcp?.close()
  await server?.close()
})

async function answer(tool: string, args: Record<string, unknown>) {
  const { content, structuredContent } = await mcp.call(tool, { project, ...args })
  expect(structuredContent?.error).toBeUndefined()
  return { text: content[0]?.text ?? '', data: structuredContent?.data as Record<string, unknown> }
}

test('inputs and messages of traces have the digits that were sent', async () => {
  const listed = await answer('traces_search', { until: '2026-01-02T03:04:06Z', detail: 'full', op_name: 'chat' })
  expect(listed.text).toContain(JSON.stringify(`{"sent":${sentText}}`))
  const read = await answer('trace_get', { trace_id: traceId, view: 'messages' })
  expect(read.text).toContain(JSON.stringify(sentText).slice(1, -1))
})

test('a row of evaluations has them in its text, and in its structured form no other number', async () => {
  const query = { evaluation_call_ids: runs, detail: 'full', sort_by: [{ field: 'scores.judge.score', direction: 'asc' }] }
  const { rows } = (await answer('eval_results_query', query)).data as { rows: { row_digest: string }[] }
  const { text, data } = await answer('eval_row_get', { evaluation_call_ids: runs, row_digest: rows[0]?.row_digest })
  expect(text).toContain(`"inputs":${sentText}`)
  expect(text).toContain(`"output":${sentText}`)
  expect(text).toContain('"score":1.0')
  expect(data['inputs']).toEqual(structured)
  expect(rows[0]).toMatchObject({ inputs: structured, trials: [{ outputs: structured, scores: { judge: { score: 1 } } }, {}] })
})

test('integers in arguments, as numbers or in JSON text, are searched for by their digits', async () => {
  /** Clients of JavaScript cannot write such a number. */
  const asNumber = (body: string) => body.replaceAll(/"number (\d+)"/g, '$1')
  const headers = { authorization: `Bearer ${server.apiKey}` }
  const other = await connectCurrent({ url: `${server.url}/mcp`, headers, rewrite: asNumber })
  const rowsWhere = async (digits: string, write: (filters: unknown) => unknown) => {
    const filters = write([{ query: { $expr: { $eq: [{ $getField: 'inputs.ids.0' }, { $literal: `number ${digits}` }] } } }])
    const { structuredContent } = await other.call('eval_results_query', { project, evaluation_call_ids: runs, filters })
    expect(structuredContent?.error).toBeUndefined()
    return structuredContent?.data.rows.length as number
  }
  for (const write of [(filters: unknown) => filters, (filters: unknown) => asNumber(JSON.stringify(filters))]) {
    expect(await rowsWhere('9007199254740993', write)).toBe(1)
    expect(await rowsWhere('9007199254740992', write)).toBe(0)
    expect(await rowsWhere('9007199254740995', write)).toBe(0)
  }
  await other.close()
})

test('integers in arguments are searched for, and compared, by their digits as text, too', async () => {
  const rowsWhere = async (condition: object) => {
    const filters = [{ query: { $expr: condition } }]
    return ((await answer('eval_results_query', { evaluation_call_ids: runs, filters })).data['rows'] as unknown[]).length
  }
  const id = { $getField: 'inputs.ids.0' }
  expect(await rowsWhere({ $eq: [id, { $literal: '9007199254740993' }] })).toBe(1)
  expect(await rowsWhere({ $eq: [id, { $literal: '9007199254740992' }] })).toBe(0)
  const asInteger = (input: object) => ({ $convert: { input, to: 'int' } })
  expect(await rowsWhere({ $gt: [asInteger(id), asInteger({ $literal: '9007199254740992' })] })).toBe(1)
  expect(await rowsWhere({ $gt: [asInteger(id), asInteger({ $literal: '9007199254740993' })] })).toBe(0)
})

test('scores that are sent as 1.0 are numbers to compare', async () => {
  const compared = await answer('eval_compare', { baseline: runs[0], candidates: [runs[1]] })
  expect(compared.text).toContain('judge.score')
  const described = await answer('eval_columns_describe', { evaluation_call_id: runs[0] })
  expect(described.data['columns']).toContainEqual({
    path: 'scores.judge.score',
    type: 'number',
    fill_rate: 1,
    example: expect.any(Number),
  })
})

test('resources are the values that were sent', async () => {
  const { contents } = await mcp.client.readResource({ uri: `call://${project}/${traceId}` })
  expect((contents[0] as { text: string }).text).toContain(`"inputs":{"sent":${sentText}}`)
})

test('the command prints rows and outputs of evaluations so', async () => {
  const args = ['--project', project, '--url', server.url]
  const environment = { HEDDLE_API_KEY: server.apiKey }
  const shown = await runCommandHere(['eval', 'show', runs[0], '--json', ...args], environment)
  const printed = sentText.slice(8, -2).split(',').join(',\n            ')
  expect(shown.out).toContain(printed)
  expect(JSON.parse(shown.out)).toMatchObject({ measures: [{ name: 'judge.score', value: 1.5 }, {}, {}] })
  const table = await runCommandHere(['eval', 'compare', ...runs, ...args], environment)
  expect(table.out).toContain('{"ids":[9007199254740993,1.0,')
})
