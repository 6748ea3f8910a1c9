import type { QueryExpression } from '@heddle/core-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCall, findCalls, record } from '../../contract-tests/testing/call-builders.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
let project_id: string
let dataset: string
let rowRefs: string[]

/** Calls by the value of `inputs.example`. */
const labels = [
  'a',
  'b',
  'b again',
  'by table',
  'behind an evaluation',
  'edge',
  'list edge',
  'unknown row',
  'row of another table',
  'row of a foreign table',
  'row beside a table',
  'foreign',
  'text',
  'nothing',
] as const

beforeAll(async () => {
  app = await startTestApp()
  project_id = app.newProject()
  const table = await app.client.tables.create({
    table: {
      project_id,
      rows: [
        { q: 'first', n: 10 },
        { q: 'second', n: 9, model: await publish('model', { size: 7 }) },
      ],
    },
  })
  const other = await app.client.tables.create({ table: { project_id, rows: [{ q: 'first', n: 10, other: true }] } })
  const misled = await publish('misled', { rows: `weave:///other/project/table/${table.digest}` })
  dataset = await publish('dataset', { name: 'dataset', rows: `weave:///${project_id}/table/${table.digest}` })
  rowRefs = table.row_digests.map((digest) => `${dataset}/attr/rows/id/${digest}`)
  const parts = await publish('parts', { 'odd/key': { q: 'part', n: 1 }, list: ['x', { q: 'element' }] })
  const [first = '', second = ''] = rowRefs
  const examples: Record<(typeof labels)[number], unknown> = {
    a: first,
    b: second,
    'b again': `${second}/`,
    'by table': `weave:///${project_id}/table/${table.digest}/id/${table.row_digests[0]}`,
    'behind an evaluation': `${await publish('evaluation', { dataset })}/attr/dataset/attr/rows/id/${table.row_digests[0]}`,
    edge: `${parts}/key/odd%2Fkey`,
    'list edge': `${parts}/attr/list/index/1`,
    'unknown row': `${dataset}/attr/rows/id/unknown`,
    'row of another table': `${dataset}/attr/rows/id/${other.row_digests[0]}`,
    'row of a foreign table': `${misled}/attr/rows/id/${table.row_digests[0]}`,
    'row beside a table': `${dataset}/attr/name/id/${table.row_digests[0]}`,
    foreign: first.replace(project_id, 'other/project'),
    text: 'first',
    nothing: null,
  }
  await record(app.client, ...labels.map((label) => aCall({ project_id, op_name: label, inputs: { example: examples[label] } })))
})
afterAll(() => app.close())

async function publish(object_id: string, val: unknown): Promise<string> {
  const { digest } = await app.client.objects.create({ obj: { project_id, object_id, val } })
  return `weave:///${project_id}/object/${object_id}:${digest}`
}

const found = async (field: string, value: unknown, expand_columns = ['inputs.example']) => {
  const query: QueryExpression = { $expr: { $eq: [{ $getField: field }, { $literal: value }] } }
  const calls = await findCalls(app.client, { project_id, query, expand_columns })
  expect(await app.client.calls.queryStats({ project_id, query, expand_columns })).toMatchObject({ count: calls.length })
  return calls.map(({ op_name }) => op_name).sort()
}

describe('through refs a query of calls reads', () => {
  test('rows of datasets and of tables', async () => {
    expect(await found('inputs.example.q', 'first')).toEqual(['a', 'behind an evaluation', 'by table'])
    expect(await found('inputs.example.n', 9)).toEqual(['b', 'b again'])
  })

  test('parts of objects, behind keys and list positions', async () => {
    expect(await found('inputs.example.q', 'part')).toEqual(['edge'])
    expect(await found('inputs.example.q', 'element')).toEqual(['list edge'])
  })

  test('objects to which rows refer', async () => {
    expect(await found('inputs.example.model.size', 7, ['inputs.example', 'inputs.example.model'])).toEqual(['b', 'b again'])
  })

  test('NULL where a ref does not resolve', async () => {
    expect(await found('inputs.example.q', null)).toEqual([
      'foreign',
      'nothing',
      'row beside a table',
      'row of a foreign table',
      'row of another table',
      'text',
      'unknown row',
    ])
  })
})

test('rows give calls their order', async () => {
  const calls = await findCalls(app.client, {
    project_id,
    expand_columns: ['inputs.example'],
    sort_by: [
      { field: 'inputs.example.n', direction: 'desc' },
      { field: 'op_name', direction: 'asc' },
    ],
  })
  const names = calls.map(({ op_name }) => op_name)
  const unlisted = ['row beside a table', 'row of a foreign table', 'row of another table']
  expect(names).toEqual([
    'a',
    'behind an evaluation',
    'by table',
    'b',
    'b again',
    'edge',
    'foreign',
    'list edge',
    'nothing',
    ...unlisted,
    'text',
    'unknown row',
  ])
})

test('values of rows do not take the place of refs, those of objects and their parts do', async () => {
  const calls = await findCalls(app.client, { project_id, expand_columns: ['inputs.example'], return_expanded_column_values: true })
  const shown = new Map(calls.map(({ op_name, inputs }) => [op_name, (inputs as { example: unknown }).example]))
  expect(shown.get('a')).toBe(rowRefs[0])
  expect(shown.get('by table')).toMatch(/^weave:.*\/table\//)
  expect(shown.get('list edge')).toMatchObject({ q: 'element' })
})

test('of a deleted dataset nothing is read', async () => {
  await app.client.objects.delete({ project_id, object_id: 'dataset' })
  expect(await found('inputs.example.q', 'first')).toEqual(['by table'])
})
