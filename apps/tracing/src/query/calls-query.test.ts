import { isApiError, type QueryExpression, type QueryOperand, type QueryOperation } from '@heddle/core-api'
import { render, type Sql } from '@heddle/datastore'
import { startTestStores, type TestStores } from '@heddle/datastore/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileCallsQuery, type CallsQueryInput, type ProbeRow } from './calls-query.ts'
import { findIds, insertCalls, insertObjectValue, type TestQuery } from './testing/call-store.ts'

const digest = (letter: string) => letter.repeat(43)
const refTo = (name: string, letter: string, project = 'e/p') => `weave:///${project}/object/${name}:${digest(letter)}`
const hostile = [
  "x' OR 1=1 --",
  '{p99:String}',
  '`; DROP TABLE heddle.calls',
  "') SETTINGS readonly=0",
  'back\\slash',
  '"',
  'in.a.:String',
  "FROM file('/etc/passwd')",
  '/* */',
  '\n\t',
]

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores()
  const { analytical } = stores
  await insertCalls(analytical, [
    { id: 'refs-outer', project_id: 'e/refs', inputs: { model: refTo('outer', 'A', 'e/refs') } },
    { id: 'refs-inner', project_id: 'e/refs', inputs: { model: refTo('inner', 'B', 'e/refs') } },
    { id: 'refs-gone', project_id: 'e/refs', inputs: { model: refTo('gone', 'C', 'e/refs') } },
    { id: 'refs-unknown', project_id: 'e/refs', inputs: { model: refTo('outer', 'Z', 'e/refs') } },
    { id: 'refs-foreign', project_id: 'e/refs', inputs: { model: refTo('outer', 'A', 'e/other') } },
    { id: 'refs-edge', project_id: 'e/refs', inputs: { model: `${refTo('outer', 'A', 'e/refs')}/attr/x` } },
    { id: 'refs-value', project_id: 'e/refs', inputs: { model: { temperature: 0.7 } } },
  ])
  await insertObjectValue(analytical, {
    project_id: 'e/refs',
    digest: digest('A'),
    val: JSON.stringify({ temperature: 0.7, next: refTo('inner', 'B', 'e/refs') }),
  })
  await insertObjectValue(analytical, {
    project_id: 'e/refs',
    digest: digest('B'),
    val: '{"temperature":1,"none":null,"deep":{"x":["a"]}}',
  })
  await insertObjectValue(analytical, { project_id: 'e/refs', digest: digest('C'), val: '{"temperature":0.7}' })
  await insertCalls(analytical, [
    { id: 'span', project_id: 'e/otel', attributes: { a: 1 }, otel: { kind: 'CLIENT', attributes: { n: 5 } } },
    { id: 'no-span', project_id: 'e/otel', attributes: { otel_span: { kind: 'own' } } },
    ...hostile.map((text, index) => ({ id: `h${index}`, project_id: 'e/hostile', inputs: { [text]: { [text]: text } }, op_name: text })),
    { id: 'old', project_id: 'e/life', inputs: { a: 'before' }, version: 1n },
    { id: 'old', project_id: 'e/life', inputs: { a: 'after' }, version: 2n },
    { id: 'deleted', project_id: 'e/life', version: 1n },
    { id: 'deleted', project_id: 'e/life', version: 2n, is_deleted: 1 },
    { id: 'end-only', project_id: 'e/life', has_start: 0 },
    { id: 'expired', project_id: 'e/life', expire_at: 1_700_000_000_000_000 },
    { id: 'expires-later', project_id: 'e/life', expire_at: 1_900_000_000_000_000 },
    { id: 'huge', project_id: 'e/huge', inputs: { list: [BigInt(2) ** 90n].map(String), n: 1 } },
    { id: 'root', project_id: 'e/tree', trace_id: 't1' },
    { id: 'child', project_id: 'e/tree', trace_id: 't1', parent_id: 'root' },
    { id: 'other-root', project_id: 'e/tree', trace_id: 't2', wb_user_id: 'u', wb_run_id: 'e/tree/run' },
  ])
})
afterAll(() => stores.close())

const query = ($expr: QueryOperation): QueryExpression => ({ $expr })
const field = ($getField: string): QueryOperand => ({ $getField })
const literal = ($literal: unknown): QueryOperand => ({ $literal })
const equals = (path: string, value: unknown) => query({ $eq: [field(path), literal(value)] })
const ids = async (request: TestQuery) => (await findIds(stores.analytical, request)).sort()

describe('a path through refs', () => {
  const through = (expression: QueryExpression, expand_columns = ['inputs.model'], more: Partial<TestQuery> = {}) =>
    ids({ project_id: 'e/refs', query: expression, expand_columns, ...more })

  test('reads the value of the object, with the conversions of dynamic fields', async () => {
    expect(await through(query({ $gt: [field('inputs.model.temperature'), literal(0.5)] }))).toEqual([
      'refs-gone',
      'refs-inner',
      'refs-outer',
    ])
    expect(await through(equals('inputs.model.temperature', 1))).toEqual(['refs-inner'])
    expect(await through(equals('inputs.model.deep.x.0', 'a'))).toEqual(['refs-inner'])
  })

  test('continues through a ref in the object when that position is listed too', async () => {
    expect(await through(equals('inputs.model.next.temperature', 1), ['inputs.model.next', 'inputs.model'])).toEqual(['refs-outer'])
    expect(await through(equals('inputs.model.next.temperature', 1))).toEqual([])
  })

  test('does not resolve a ref to a deleted version', async () => {
    const deletedVersions = [`object/gone:${digest('C')}`]
    expect(await through(equals('inputs.model.temperature', '0.7'), ['inputs.model'], { deletedVersions })).toEqual(['refs-outer'])
  })

  test('is NULL where the ref does not resolve or the value is missing or null', async () => {
    const absent = ['refs-edge', 'refs-foreign', 'refs-unknown', 'refs-value']
    expect(await through(equals('inputs.model.temperature', null))).toEqual(absent)
    expect(await through(equals('inputs.model.none', ''))).toEqual([])
    expect(await through(query({ $not: [{ $eq: [field('inputs.model.none'), literal('x')] }] }))).toEqual([])
  })

  test('sorts by the value, what is absent last', async () => {
    const found = await findIds(stores.analytical, {
      project_id: 'e/refs',
      sort_by: [{ field: 'inputs.model.temperature', direction: 'desc' }],
      expand_columns: ['inputs.model'],
    })
    expect(found).toEqual(['refs-inner', 'refs-outer', 'refs-gone', 'refs-value', 'refs-unknown', 'refs-foreign', 'refs-edge'])
  })

  test('the ref itself is its text', async () => {
    expect(await through(equals('inputs.model', refTo('inner', 'B', 'e/refs')))).toEqual(['refs-inner'])
  })
})

describe('the raw span', () => {
  const found = (path: string, value: unknown) => ids({ project_id: 'e/otel', query: equals(path, value) })

  test('is read as an attribute', async () => {
    expect(await found('attributes.otel_span.kind', 'CLIENT')).toEqual(['span'])
    expect(await found('attributes.otel_span.attributes.n', 5)).toEqual(['span'])
  })

  test('falls back to the call attribute `otel_span` if the call has no span', async () => {
    expect(await found('attributes.otel_span.kind', 'own')).toEqual(['no-span'])
  })

  test('does not belong to the attributes as a whole', async () => {
    expect(await found('attributes', '{"a":1}')).toEqual(['span'])
  })

  test.each(['attributes.otel_span.attributes.app.tenant', 'attributes.otel_span.resource.attributes.service.name'])(
    'a filter and an order by %s read its column of the index, and no span, where every row has it',
    async (path) => {
      const compiled = compileCallsQuery({
        project_id: 'e/otel',
        query: equals(path, 'acme'),
        sort_by: [{ field: path, direction: 'desc' }],
      })
      expect(compiled.unindexedEntries).toHaveLength(1)
      const { text, params } = render(compiled.keys({ now: 1, probed: { unindexed: [0] } }))
      expect(text).not.toMatch(/\b(otel|attributes|inputs|output|JSONExtract\w*)\b/)
      const column = path.replace('attributes.otel_span.resource.attributes', 'res').replace('attributes.otel_span.attributes', 'span')
      expect(Object.values(params)).toContain(column)
      expect(render(compiled.keys({ now: 1, probed: { unindexed: [1] } })).text).toContain('otel')
    },
  )

  test('spans of before raw spans were indexed are found by what they hold, beside spans of today', async () => {
    const aSpan = (tenant: string, name: string) => ({
      attributes: { app: { tenant, long: 'word '.repeat(40) } },
      resource: { attributes: { service: { name } } },
    })
    await insertCalls(stores.analytical, [
      { id: 'old-a', project_id: 'e/old', otel: aSpan('a', 's1'), isOld: true },
      { id: 'old-b', project_id: 'e/old', otel: aSpan('b', 's2'), isOld: true },
      { id: 'old-none', project_id: 'e/old', isOld: true },
      { id: 'new-a', project_id: 'e/old', otel: aSpan('a', 's2') },
    ])
    const both = (path: string, value: unknown) => ids({ project_id: 'e/old', query: equals(path, value) })
    expect(await both('attributes.otel_span.attributes.app.tenant', 'a')).toEqual(['new-a', 'old-a'])
    expect(await both('attributes.otel_span.resource.attributes.service.name', 's2')).toEqual(['new-a', 'old-b'])
    expect(await both('attributes.otel_span.attributes.app.long', 'word '.repeat(40))).toEqual(['new-a', 'old-a', 'old-b'])
  })

  test.each([true, false])('a value that it shares with the attributes is found by both names (probe: %s)', async (probes) => {
    const project_id = `e/shared-${probes}`
    const aSpan = (model: string, temperature: number) => ({
      attributes: { gen_ai: { response: { model }, request: { temperature } } },
    })
    await insertCalls(stores.analytical, [
      { id: 'shared', project_id, attributes: { model: 'm', model_parameters: { temperature: 1 } }, otel: aSpan('m', 1) },
      { id: 'other-call', project_id, attributes: { model: 'm', model_parameters: { temperature: 1 } }, otel: aSpan('n', 1) },
      { id: 'only-span', project_id, otel: aSpan('m', 2) },
      { id: 'only-call', project_id, attributes: { model: 'm', model_parameters: { temperature: 2 } }, otel: { attributes: {} } },
    ])
    const found = (path: string, value: unknown) => findIds(stores.analytical, { project_id, query: equals(path, value) }, { probes })
    expect(await found('attributes.model', 'm')).toEqual(['only-call', 'other-call', 'shared'])
    expect(await found('attributes.otel_span.attributes.gen_ai.response.model', 'm')).toEqual(['only-span', 'shared'])
    expect(await found('attributes.model_parameters.temperature', 1)).toEqual(['other-call', 'shared'])
    expect(await found('attributes.otel_span.attributes.gen_ai.request.temperature', 1)).toEqual(['other-call', 'shared'])
  })
})

describe('which calls are seen', () => {
  test('the newest version of live calls with a start, of one project', async () => {
    expect(await ids({ project_id: 'e/life' })).toEqual(['expires-later', 'old'])
    expect(await ids({ project_id: 'e/life', query: equals('inputs.a', 'before') })).toEqual([])
    expect(await ids({ project_id: 'e/life', query: equals('inputs.a', 'after') })).toEqual(['old'])
    expect(await ids({ project_id: 'e/nobody' })).toEqual([])
  })

  test('an expiry is a time, and no expiry is none', async () => {
    expect(await ids({ project_id: 'e/life', query: equals('expire_at', null) })).toEqual(['old'])
    expect(await ids({ project_id: 'e/life', query: query({ $gt: [field('expire_at'), literal('2029-01-01')] }) })).toEqual([
      'expires-later',
    ])
  })
})

describe('counts', () => {
  const ask = async <T>(input: CallsQueryInput, form: 'count' | 'storage') => {
    const compiled = compileCallsQuery(input)
    const probe = compiled.probe()
    const [probed] = probe ? await stores.analytical.rows<ProbeRow>(probe) : []
    return (await stores.analytical.rows<T>(compiled[form]({ now: 0, probed })))[0]
  }

  test('calls up to the limit', async () => {
    expect(await ask({ project_id: 'e/tree' }, 'count')).toEqual({ count: 3 })
    expect(await ask({ project_id: 'e/tree', limit: 2 }, 'count')).toEqual({ count: 2 })
    expect(await ask({ project_id: 'e/tree', limit: 0 }, 'count')).toEqual({ count: 0 })
    expect(
      await ask({ project_id: 'e/refs', query: equals('inputs.model.temperature', 1), expand_columns: ['inputs.model'] }, 'count'),
    ).toEqual({ count: 1 })
  })

  test('storage of the traces of the matching roots', async () => {
    expect(await ask({ project_id: 'e/tree', filter: { call_ids: ['root'] } }, 'storage')).toEqual({ bytes: 200 })
    expect(await ask({ project_id: 'e/tree', filter: { call_ids: ['child'] } }, 'storage')).toEqual({ bytes: 0 })
  })
})

describe('the filter', () => {
  test.each<[string, TestQuery['filter'], string[]]>([
    ['a text of "none" names no call', { parent_ids: [''] }, []],
    ['users', { wb_user_ids: ['u', ''] }, ['other-root']],
    ['runs in full', { wb_run_ids: ['e/tree/run'] }, ['other-root']],
    ['bare runs of the queried project', { wb_run_ids: ['run'] }, ['other-root']],
    ['roots only, switched off', { trace_roots_only: false }, ['child', 'other-root', 'root']],
    ['empty turn_ids match nothing', { turn_ids: [] }, []],
    ['null is not given', { call_ids: null, thread_ids: null }, ['child', 'other-root', 'root']],
    ['all parts hold', { trace_ids: ['t1'], trace_roots_only: true }, ['root']],
    ['a star is not a wildcard inside a name', { op_names: ['pred*'] }, []],
    ['a star after a colon is', { op_names: ['predict:*', 'predict'] }, ['child', 'other-root', 'root']],
  ])('%s', async (_name, filter, expected) => {
    expect(await ids({ project_id: 'e/tree', filter })).toEqual(expected)
  })
})

describe('text from a request', () => {
  test.each(hostile)('%j finds exactly the call that holds it, and is in no statement', async (text) => {
    const path = `inputs.${text.replaceAll('.', '\\.')}.${text.replaceAll('.', '\\.')}`
    const request: TestQuery = {
      project_id: 'e/hostile',
      query: query({ $and: [{ $eq: [field(path), literal(text)] }, { $in: [field('op_name'), [literal(text), literal('x')]] }] }),
      sort_by: [{ field: path, direction: 'asc' }],
    }
    const expected = [`h${hostile.indexOf(text)}`]
    expect(await findIds(stores.analytical, request)).toEqual(expected)
    expect(await findIds(stores.analytical, request, { probes: false })).toEqual(expected)
    const compiled = compileCallsQuery({ ...request, project_id: 'e/hostile' })
    const now = 0
    const indexed = { now, probed: { unindexed: [0] } }
    const statements = [compiled.probe(), compiled.keys({ now }), compiled.keys(indexed), compiled.count({ now })].filter(
      (each): each is Sql => each !== undefined,
    )
    const plain = compileCallsQuery({ ...request, project_id: 'e/hostile', ...harmless(request, path) })
    expect(render(compiled.keys({ now })).text).toBe(render(plain.keys({ now })).text)
    if (text.length > 2) for (const statement of statements) expect(render(statement).text).not.toContain(text)
  })
})

/** The same request with texts of no danger. */
function harmless(_request: TestQuery, path: string): Partial<TestQuery> {
  const harmlessPath = path
    .split(/(?<!\\)\./)
    .map((part, index) => (index === 0 ? part : 'a'))
    .join('.')
  return {
    query: query({ $and: [{ $eq: [field(harmlessPath), literal('a')] }, { $in: [field('op_name'), [literal('a'), literal('x')]] }] }),
    sort_by: [{ field: harmlessPath, direction: 'asc' }],
  }
}

describe('refusals', () => {
  const deep = Array.from({ length: 2001 }, () => ({ $eq: [field('id'), literal('x')] }) as QueryOperand)
  test.each<[string, Partial<CallsQueryInput>, number, RegExp]>([
    ['an empty $and', { query: query({ $and: [] }) }, 400, /^Empty AND operation/],
    ['an empty $or', { query: query({ $or: [] }) }, 400, /^Empty OR operation/],
    ['an object literal', { query: equals('inputs.a', { k: 1 }) }, 400, /literal object cannot be compared/],
    ['a list literal', { query: equals('inputs.a', [1]) }, 400, /literal list cannot be compared/],
    ['a time that is none', { query: equals('started_at', 'yesterday') }, 400, /"yesterday".*ISO 8601/],
    ['digits where a time is expected', { query: equals('started_at', '1772409600') }, 400, /"1772409600".*ISO 8601/],
    ['a boolean where a time is expected', { query: equals('started_at', true) }, 400, /cannot be compared with "true"/],
    ['text as a condition', { query: query({ $not: [field('inputs.a')] }) }, 400, /\$convert it to bool/],
    ['an order of queue items', { sort_by: [{ field: 'annotation_queue_items.queue_id', direction: 'asc' }] }, 422, /is not allowed/],
    [
      'an order of sizes',
      { sort_by: [{ field: 'storage_size_bytes', direction: 'asc' }] },
      422,
      /^Field storage_size_bytes is not allowed/,
    ],
    [
      'too many elements of all $in',
      {
        query: query({ $or: Array.from({ length: 6 }, () => ({ $in: [field('id'), Array.from({ length: 9_000 }, () => literal('x'))] })) }),
      },
      400,
      /lists of all \$in have more than 50000 elements/,
    ],
    ['too many operands', { query: query({ $or: deep }) }, 400, /more than 2000 operands/],
    [
      'a long filter list',
      { filter: { call_ids: Array.from({ length: 1001 }, String) } },
      400,
      /^Parameter: 'call_ids' request length is greater than max length \(1000\)\. Actual length: 1001\.$/,
    ],
    ['a negative limit', { limit: -1 }, 400, /^limit must be/],
    ['a negative offset', { offset: -1 }, 400, /^offset must be/],
    ['a queue compared with a number', { query: equals('annotation_queue_items.queue_id', 1) }, 400, /\$eq with a queue id/],
  ])('%s', (_name, input, status, reason) => {
    let refusal: unknown
    try {
      compileCallsQuery({ project_id: 'e/p', ...input })
    } catch (error) {
      refusal = error
    }
    expect(isApiError(refusal)).toBe(true)
    expect(refusal).toMatchObject({ status, message: expect.stringMatching(reason) as string })
  })
})

test('no feedback and no queue items are empty text and no membership', async () => {
  expect(await ids({ project_id: 'e/otel', query: equals('feedback.[q].payload.score', '') })).toEqual(['no-span', 'span'])
  expect(await ids({ project_id: 'e/otel', query: equals('feedback.[wandb.note.1].payload.note', null) })).toEqual(['no-span', 'span'])
  expect(await ids({ project_id: 'e/otel', query: equals('annotation_queue_items.queue_id', 'q') })).toEqual([])
  expect(
    await ids({ project_id: 'e/otel', query: query({ $not: [{ $eq: [field('annotation_queue_items.queue_id'), literal('q')] }] }) }),
  ).toHaveLength(2)
})

describe('the size of a query', () => {
  const repeated = (times: number, wrap: (operand: QueryOperand) => QueryOperand, start: QueryOperand): QueryOperand =>
    times === 0 ? start : wrap(repeated(times - 1, wrap, start))
  const chain = (targets: ('bool' | 'string' | 'int' | 'double' | 'exists')[], times: number) =>
    targets.length === 0
      ? field('inputs.a')
      : Array.from({ length: times }, (_, index) => targets[index % targets.length] ?? 'bool').reduce<QueryOperand>(
          (input, to) => ({ $convert: { input, to } }),
          field('inputs.a'),
        )
  const text = (input: QueryOperand): QueryOperand => ({ $convert: { input, to: 'string' } })
  const mixed = [true, 'x', 1, 1.5].map(literal)
  const wide = (count: number, each: (index: number) => QueryOperand) => ({ $or: Array.from({ length: count }, (_, index) => each(index)) })

  test.each<[string, QueryOperand]>([
    ['90 conversions back and forth', { $eq: [chain(['bool', 'string'], 90), literal('true')] }],
    ['90 conversions of all kinds', { $eq: [chain(['bool', 'string', 'double', 'exists', 'int'], 90), literal(1)] }],
    ['60 conditions within each other', repeated(60, (x) => ({ $eq: [text(x), literal(1)] }), equality())],
    [
      '20 searches within each other',
      repeated(20, (x) => ({ $contains: { input: text(x), substr: literal('t'), case_insensitive: false } }), equality()),
    ],
    ['180 negations', repeated(180, (x) => ({ $not: [x] }), equality())],
    ['4 lists of mixed types within each other', repeated(4, (x) => ({ $in: [x, mixed] }), equality())],
    ['660 comparisons', wide(660, (index) => ({ $eq: [field(`inputs.p${index % 100}.a`), literal(index)] }))],
    [
      '660 searches',
      wide(660, (index) => ({ $contains: { input: field('inputs.a'), substr: literal(`some words ${index}`), case_insensitive: true } })),
    ],
    ['50,000 elements', wide(5, () => ({ $in: [field('inputs.a'), Array.from({ length: 10_000 }, (_, index) => literal(`x${index}`))] }))],
  ])('%s run on the engine', async (_, $expr) => {
    await expect(ids({ project_id: 'e/tree', query: query($expr as QueryOperation) })).resolves.toBeInstanceOf(Array)
  })

  test.each<[string, QueryOperand]>([
    ['40 lists of mixed types within each other', repeated(40, (x) => ({ $in: [x, mixed] }), equality())],
    [
      'lists of fields within lists of fields',
      repeated(3, (x) => ({ $in: [text(x), Array.from({ length: 199 }, (_, i) => field(`inputs.p${i % 9}`))] }), equality()),
    ],
  ])('%s are refused before the engine is asked', (_, $expr) => {
    expect(() => compileCallsQuery({ project_id: 'e/p', query: query($expr as QueryOperation) }).keys({ now: 0 })).toThrow(
      expect.objectContaining({ kind: 'complex' }),
    )
  })

  function equality(): QueryOperand {
    return { $eq: [field('inputs.a'), literal('a')] }
  }
})
