import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { aBlock, aCallRow, shareTestStores } from '../../../testing/index.ts'
import { bind, ownSql, sql } from '../../sql.ts'
import { callsTable } from '../../tables/calls.ts'
import { knownValues } from './known-values.ts'

const columns = [
  { name: 'tier', texts: ['service_tier', 'serviceTier'], value: "''" },
  { name: 'usage', texts: ['"usage'], value: '[]' },
]

async function fileOf(rows: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'known-values-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, '1.rows')
  await writeFile(path, rows)
  return path
}

test.each([
  ['a column none of whose texts is there', '{"usage": 1}', { tier: "''" }],
  ['all columns', 'no text of a column', { tier: "''", usage: '[]' }],
  ['no column of whose texts one is there', '{"serviceTier": "flex", "usage": 1}', {}],
  ['no column of many rows', 'x'.repeat(100_000), {}],
])('the values are known of %s', async (_, rows, known) => {
  expect(Object.fromEntries(knownValues(await fileOf(rows), columns))).toEqual(known)
})

test('nothing is known of a file that is not there: the engine says so', () => {
  expect(knownValues('/nowhere/1.rows', columns).size).toBe(0)
})

const name = fc.oneof(
  fc.constantFrom('service_tier', 'serviceTier', 'response_id', 'usage', 'kind', 'weave', 'gen_ai', 'operation', 'name', 'genai_span_ref'),
  fc.constantFrom('gen_ai.operation.name', 'weave.kind', 'ai.operationId', 'tool_name', 'agent_name', 'traceloop.span.kind'),
  fc.constantFrom('prompt_tokens', 'total_tokens', 'model', 'a', 'usages', 'kin', 'traffic_type'),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, fc.constantFrom('flex', 'llm', '', 7, null, true), tie('object'), tie('list')),
  object: fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  list: fc.array(tie('value'), { maxLength: 2 }),
}))
const object = fc.dictionary(name, value, { maxKeys: 3 })

/** One letter of a name as an escape, which a reader of JSON decodes. */
const escaped = (json: string) => json.replace(/[a-z]/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)
const textOf = (json: fc.Arbitrary<unknown>) =>
  fc.tuple(json, fc.constantFrom('as it is', 'as it is', 'escaped', 'cut')).map(([parsed, form]) => {
    const text = JSON.stringify(parsed)
    return form === 'escaped' ? escaped(text) : form === 'cut' ? text.slice(0, -1) : text
  })

const plainRow = { attributes: '{}', inputs: '{}', output: 'null', summary: '{}', otel: '' }
const payloads = fc.record({
  attributes: fc.oneof(textOf(object), fc.constantFrom('', '{}', '{"note":"plain"}')),
  inputs: textOf(value),
  output: fc.oneof(textOf(value), fc.constant('null')),
  summary: fc.oneof(textOf(object), textOf(fc.record({ usage: object })), fc.constant('{}')),
  otel: fc.oneof(textOf(fc.record({ attributes: object })), fc.constant('')),
})

/** Rows of which a column is not the usual value. */
const telling = [
  { attributes: { response_id: 'r-1' } },
  { attributes: { weave: { kind: 'llm' } } },
  { attributes: { weave: ['llm'] } },
  { attributes: { 'openinference.span.kind': 'LLM' } },
  { attributes: { tool_name: 'search' } },
  { attributes: { a: { genai_span_ref: 's' } } },
  { summary: { usage: { model: { prompt_tokens: 7 } } } },
  { inputs: { service_tier: 'flex' } },
  { output: { serviceTier: { type: 'flex' } } },
  { output: { usage_metadata: { traffic_type: 'flex' } } },
  { output: { usageMetadata: { trafficType: 'flex' } } },
].flatMap((row) => {
  const texts = Object.entries(row).map(([column, parsed]): [string, string] => [column, JSON.stringify(parsed)])
  return [Object.fromEntries(texts), Object.fromEntries(texts.map(([column, text]) => [column, escaped(text)]))]
})

test('whatever few rows hold, their derived columns have the values that the table would derive', async () => {
  const { analytical, close } = await shareTestStores()
  onTestFinished(close)
  const project_id = `known/${Date.now()}`
  let inserts = 0
  await fc.assert(
    fc.asyncProperty(fc.array(payloads, { minLength: 1, maxLength: 2 }), async (rows) => {
      const calls = rows.map((row, at) => aCallRow({ ...row, project_id, id: `${inserts}-${at}` }))
      inserts += 1
      await analytical.insert(callsTable, aBlock(callsTable, ...calls))
      // So that the next rows are an insert of their own.
      await analytical.rows(sql`SELECT 1`)
    }),
    { numRuns: trials({ usual: 15, long: 2_000 }), examples: telling.map((row) => [[{ ...plainRow, ...row }]]) },
  )
  const derived = Object.entries(callsTable.derived ?? {})
  const differing = derived.map(([column, { from }]) => `countIf(toString(${column}) != toString(${from})) AS ${column}_differs`)
  const found = await analytical.rows<Record<string, string>>(
    sql`SELECT ${ownSql(differing.join(', '))} FROM heddle.calls FINAL WHERE project_id = ${bind('String', project_id)}`,
  )
  expect(found).toEqual([Object.fromEntries(derived.map(([column]) => [`${column}_differs`, '0']))])
})
