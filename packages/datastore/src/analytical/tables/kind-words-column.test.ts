import { callWordPaths } from '@heddle/core-api/internal'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBlock, aCallRow, startTestStores, type TestStores } from '../../testing/index.ts'
import { bind, sql } from '../sql.ts'
import { callsTable } from './calls.ts'

let stores: TestStores
let projects = 0
beforeAll(async () => {
  stores = await startTestStores()
})
afterAll(() => stores.close())

interface Columns {
  kind_words: string
  span_scope: string
}

async function columnsOf(call: { attributes?: string; otel?: string }): Promise<Columns | undefined> {
  const project_id = `acme/${projects++}`
  await stores.analytical.insert(callsTable, aBlock(callsTable, aCallRow({ project_id, id: 'a', ...call })))
  const [row] = await stores.analytical.rows<Columns>(
    sql`SELECT kind_words, span_scope FROM heddle.calls FINAL WHERE project_id = ${bind('String', project_id)}`,
  )
  return row
}

const lines = (words: Partial<Record<(typeof callWordPaths)[number], string>>) => callWordPaths.map((path) => words[path] ?? '').join('\n')

test('the lines of stored rows keep their meaning: paths are added at the end, none is moved', () =>
  expect(callWordPaths.slice(0, 11)).toEqual([
    'operation_name',
    'gen_ai.operation.name',
    'ai.operationId',
    'weave.kind',
    'kind',
    'openinference.span.kind',
    'traceloop.span.kind',
    'weave.score',
    '_weave_eval_meta.score',
    'tool_name',
    'agent_name',
  ]))

test.each<[string, Parameters<typeof lines>[0]]>([
  ['{}', {}],
  ['{"kind":"llm"}', { kind: 'llm' }],
  ['{"gen_ai":{"operation":{"name":"chat"}}}', { 'gen_ai.operation.name': 'chat' }],
  ['{"gen_ai.operation.name":"chat"}', { 'gen_ai.operation.name': 'chat' }],
  ['{"gen_ai.operation.name":"chat","gen_ai":{"operation":{"name":"embeddings"}}}', { 'gen_ai.operation.name': 'chat' }],
  ['{"weave":{"kind":"tool","score":"true"}}', { 'weave.kind': 'tool', 'weave.score': 'true' }],
  ['{"_weave_eval_meta":{"score":true}}', { '_weave_eval_meta.score': 'true' }],
  ['{"tool_name":"search the web","agent_name":"writer"}', { tool_name: 'named', agent_name: 'named' }],
  ['{"openinference":{"span.kind":"LLM"}}', { 'openinference.span.kind': 'LLM' }],
  ['{"openinference.span":{"kind":"LLM"}}', { 'openinference.span.kind': 'LLM' }],
  ['{"gen_ai":{"operation.name":"chat"}}', { 'gen_ai.operation.name': 'chat' }],
  ['{"gen_ai.operation":{"name":"chat"},"gen_ai":{"operation":"x"}}', { 'gen_ai.operation.name': 'chat' }],
  ['{"kind":null,"gen_ai":7}', {}],
  ['not JSON', {}],
])('attributes %s say in lines what the call did', async (attributes, words) =>
  expect((await columnsOf({ attributes }))?.kind_words).toBe(lines(words)),
)

const span = (scope: string) => `{"name":"s","attributes":{"x":"\\"scope\\":{"},"resource":{"attributes":{}},"scope":${scope}}`

test.each([
  ['', ''],
  [span('null'), '@'],
  [span('{"name":"","version":""}'), '@'],
  [span('{"name":"openai","version":"1.2"}'), '@openai'],
  [span('{"name":"a \\"quoted\\" name","version":"1"}'), '@a \\"quoted\\" name'],
  ['{"sent":"by a client, with its members in another order","scope":{"name":"x"},"name":"y"}', '@'],
])('the raw span %s has a scope of its own or none', async (otel, scope) => expect((await columnsOf({ otel }))?.span_scope).toBe(scope))
