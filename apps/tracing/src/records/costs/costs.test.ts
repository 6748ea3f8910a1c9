import type { QueryExpressionInput } from '@heddle/core-api'
import { sliceOfCases, sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

const aPrice = { prompt_token_cost: 0.001, completion_token_cost: 0.002 }
const field = ($getField: string) => ({ $getField })
const literal = ($literal: unknown) => ({ $literal })
const allKeys = [
  'cache_creation_input_token_cost',
  'cache_read_input_token_cost',
  'completion_token_cost',
  'completion_token_cost_unit',
  'effective_date',
  'id',
  'llm_id',
  'prompt_token_cost',
  'prompt_token_cost_unit',
  'provider_id',
]

describe.each([
  { dialect: 'SQLite', options: {}, isMissing: false },
  { dialect: 'PostgreSQL', options: { postgresUrl: inject('postgresUrl') }, isMissing: inject('postgresUrl') === '' },
])('costs on $dialect', ({ dialect, options, isMissing }) => {
  const isWhole = dialect === 'SQLite'
  let app: TestApp
  beforeAll(async () => {
    if (!isMissing) app = await startTestApp(options)
  })
  afterAll(() => (isMissing ? undefined : app.close()))

  const create = (project_id: string, costs: Record<string, object>) =>
    sendRaw(app, { path: '/cost/create', body: { project_id, costs } }).then(({ status, body }) => ({
      status,
      body: body as { ids: string[][] },
    }))
  const query = async (project_id: string, request: object = {}) => (await app.client.costs.query({ project_id, ...request })).results
  const models = async (project_id: string, request: object = {}) => (await query(project_id, request)).map(({ llm_id }) => llm_id)
  const refusal = (path: string, body: object) => sendRaw(app, { path, body })

  describe('create', () => {
    test.skipIf(isMissing)('answers an id and the name of each model, in the order of the request', async () => {
      const { status, body } = await create(app.newProject(), { 'm-2': aPrice, 'm-1': aPrice })
      expect(status).toBe(200)
      expect(body.ids.map(([, model]) => model)).toEqual(['m-2', 'm-1'])
      for (const [id] of body.ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    })

    test.skipIf(isMissing)('no costs make no ids', async () => {
      expect(await create(app.newProject(), {})).toEqual({ status: 200, body: { ids: [] } })
    })

    test.skipIf(isMissing)('what is left out has its default, and unknown keys are ignored', async () => {
      const project_id = app.newProject()
      const before = Date.now()
      await create(project_id, { m: { ...aPrice, provider_id: '', effective_date: null, prompt_token_cost_unit: null, color: 'red' } })
      const [cost] = await query(project_id)
      expect(cost).toMatchObject({
        ...aPrice,
        cache_read_input_token_cost: 0,
        cache_creation_input_token_cost: 0,
        prompt_token_cost_unit: 'USD',
        completion_token_cost_unit: 'USD',
        provider_id: 'default',
      })
      expect(Math.abs(Date.parse(cost?.effective_date ?? '') - before)).toBeLessThan(60_000)
    })

    test.skipIf(isMissing)('prices keep every digit and dates their microseconds', async () => {
      const project_id = app.newProject()
      const exact = {
        prompt_token_cost: 1.234567890123e-7,
        completion_token_cost: 1e-9,
        effective_date: '2026-03-01T12:00:00.123456+02:00',
      }
      await create(project_id, { m: exact })
      expect(await query(project_id)).toMatchObject([{ ...exact, effective_date: '2026-03-01T10:00:00.123456Z' }])
    })

    test.skipIf(isMissing)('rows are appended: a second price of a model stands beside the first', async () => {
      const project_id = app.newProject()
      for (const prompt_token_cost of [1, 2]) await create(project_id, { m: { ...aPrice, prompt_token_cost } })
      expect((await query(project_id)).map((cost) => cost.prompt_token_cost)).toEqual([1, 2])
    })

    test.skipIf(isMissing)('the user comes from the credential', async () => {
      const project_id = app.newProject()
      await refusal('/cost/create', { project_id, costs: { m: aPrice }, wb_user_id: 'somebody' })
      const byCaller = { query: { $expr: { $eq: [field('created_by'), literal('tester')] } } }
      expect(await models(project_id, byCaller)).toEqual(['m'])
    })

    test.skipIf(isMissing).each(
      sliceOfCases(
        [
          ['a missing price', { m: { prompt_token_cost: 1 } }, 422],
          ['a price that is not a number', { m: { ...aPrice, prompt_token_cost: 'much' } }, 422],
          ['a price without end', { m: { ...aPrice, prompt_token_cost: '1e999' } }, 422],
          ['a date that is none', { m: { ...aPrice, effective_date: 'soon' } }, 422],
          ['a name with NUL', { 'm\0': aPrice }, 400],
          ['a name that is too long', { ['m'.repeat(513)]: aPrice }, 400],
        ],
        { isWhole },
      ),
    )('%s stores nothing', async (_, costs, status) => {
      const project_id = app.newProject()
      expect((await create(project_id, { fine: aPrice, ...costs })).status).toBe(status)
      expect(await query(project_id)).toEqual([])
    })

    test.skipIf(isMissing)('names of models are any text', async () => {
      const project_id = app.newProject()
      const names = ['it\'s "a" \\ model\n🧵', '', 'x'.repeat(512), '世'.repeat(512)]
      await create(project_id, Object.fromEntries(names.map((name) => [name, aPrice])))
      expect(await models(project_id)).toEqual(names)
      expect(await models(project_id, { query: { $expr: { $eq: [field('llm_id'), literal(names[0])] } } })).toEqual([names[0]])
    })

    test.skipIf(isMissing)('a project holds 10,000 prices at most, also of requests at the same time', async () => {
      const project_id = app.newProject()
      const many = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`m${index}`, aPrice]))
      const statuses = (await Promise.all([create(project_id, many), create(project_id, many)])).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([200, 400])
      expect(await query(project_id)).toHaveLength(6_000)
      const sorted = { sort_by: [{ field: 'llm_id', direction: 'desc' }], limit: 1 }
      expect(await models(project_id, sorted)).toEqual(['m999'])
    })

    sliceOfSuite({ isWhole })
  })

  describe('query', () => {
    let project_id: string
    beforeAll(async () => {
      if (isMissing) return
      project_id = app.newProject()
      await create(project_id, {
        cheap: { prompt_token_cost: 1, completion_token_cost: 9, effective_date: '2026-01-01' },
        middle: { prompt_token_cost: 2, completion_token_cost: 8, effective_date: '2026-02-01T00:00:00.000001Z', provider_id: 'prov' },
      })
      await create(project_id, { Dear: { prompt_token_cost: 3.5, completion_token_cost: 8, effective_date: '2026-03-01' } })
    })

    test.skipIf(isMissing)('answers exactly ten keys', async () => {
      for (const cost of await query(project_id)) expect(Object.keys(cost).sort()).toEqual(allKeys)
    })

    test.skipIf(isMissing)('what is not selected is null; no fields select all, and columns that are not shown may be named', async () => {
      const [cost] = await query(project_id, { fields: ['llm_id', 'created_by', 'pricing_level'] })
      expect(cost).toEqual({ ...Object.fromEntries(allKeys.map((key) => [key, null])), llm_id: 'cheap' })
      expect((await query(project_id, { fields: [] }))[0]).toMatchObject({ llm_id: 'cheap', prompt_token_cost: 1 })
    })

    test.skipIf(isMissing)('only rows of the project are answered, whatever the query', async () => {
      const other = app.newProject()
      await create(other, { elsewhere: aPrice })
      const everything: QueryExpressionInput = { $expr: { $or: [{ $eq: [literal(1), literal(1)] }] } }
      expect(await models(other, { query: everything })).toEqual(['elsewhere'])
      expect(await models(other, { query: { $expr: { $eq: [field('pricing_level_id'), literal(project_id)] } } })).toEqual([])
      expect(await query(app.newProject())).toEqual([])
    })

    test.skipIf(isMissing).each<[string, object, string[]]>([
      ['text by bytes', { $gt: [field('llm_id'), literal('a')] }, ['cheap', 'middle']],
      ['a price with an integer', { $gte: [field('prompt_token_cost'), literal(2)] }, ['middle', 'Dear']],
      ['a price with a fraction', { $eq: [field('prompt_token_cost'), literal(3.5)] }, ['Dear']],
      ['a price with text never', { $eq: [field('prompt_token_cost'), literal('1')] }, []],
      ['a date with a date alone', { $gte: [field('effective_date'), literal('2026-02-01')] }, ['middle', 'Dear']],
      ['a date to the microsecond', { $eq: [field('effective_date'), literal('2026-02-01T00:00:00.000001Z')] }, ['middle']],
      ['a date with unix seconds', { $lt: [field('effective_date'), literal(1_769_904_000)] }, ['cheap']],
      ['the creation', { $gt: [field('created_at'), literal(0)] }, ['cheap', 'middle', 'Dear']],
      ['a list', { $in: [field('llm_id'), [literal('cheap'), literal('Dear')]] }, ['cheap', 'Dear']],
      ['a substring of any case', { $contains: { input: field('llm_id'), substr: literal('DEAR'), case_insensitive: true } }, ['Dear']],
      ['a level', { $eq: [field('pricing_level'), literal('project')] }, ['cheap', 'middle', 'Dear']],
      ['two columns', { $gt: [field('prompt_token_cost'), field('completion_token_cost')] }, []],
      ['absence never', { $eq: [field('provider_id'), literal(null)] }, []],
      ['a conversion', { $eq: [{ $convert: { input: field('prompt_token_cost'), to: 'string' } }, literal('2')] }, ['middle']],
      [
        'all of it together',
        { $and: [{ $not: [{ $eq: [field('provider_id'), literal('prov')] }] }, { $lt: [field('prompt_token_cost'), literal(2)] }] },
        ['cheap'],
      ],
    ])('compares %s', async (_, $expr, expected) => {
      expect(await models(project_id, { query: { $expr } })).toEqual(expected)
    })

    test.skipIf(isMissing).each<[string, object, string[]]>([
      ['by creation, when nothing is asked', {}, ['cheap', 'middle', 'Dear']],
      ['by text', { sort_by: [{ field: 'llm_id', direction: 'asc' }] }, ['Dear', 'cheap', 'middle']],
      ['by number', { sort_by: [{ field: 'prompt_token_cost', direction: 'desc' }] }, ['Dear', 'middle', 'cheap']],
      ['by date', { sort_by: [{ field: 'effective_date', direction: 'desc' }] }, ['Dear', 'middle', 'cheap']],
      [
        'by several keys',
        {
          sort_by: [
            { field: 'completion_token_cost', direction: 'asc' },
            { field: 'llm_id', direction: 'desc' },
          ],
        },
        ['middle', 'Dear', 'cheap'],
      ],
      ['ties by creation', { sort_by: [{ field: 'completion_token_cost', direction: 'asc' }] }, ['middle', 'Dear', 'cheap']],
      ['a page', { limit: 1, offset: 1 }, ['middle']],
      ['a page of an order', { sort_by: [{ field: 'llm_id', direction: 'asc' }], limit: 1, offset: 1 }, ['cheap']],
      ['none', { limit: 0 }, []],
    ])('sorts %s', async (_, request, expected) => expect(await models(project_id, request)).toEqual(expected))

    test.skipIf(isMissing).each<[string, object, string]>(
      sliceOfCases(
        [
          ['a field of the query', { query: { $expr: { $eq: [field('color'), literal(1)] } } }, 'Unknown field: color'],
          ['a field of the order', { sort_by: [{ field: 'color', direction: 'asc' }] }, 'Unknown field: color'],
          ['a field to show', { fields: ['color'] }, 'Unknown field: color'],
          ['a field that is a name of every object', { fields: ['constructor'] }, 'Unknown field: constructor'],
          ['a negative limit', { limit: -1 }, 'limit'],
          ['a negative offset', { offset: -1 }, 'offset'],
          ['a date that is none', { query: { $expr: { $gt: [field('effective_date'), literal('soon')] } } }, 'soon'],
          ['an empty $and', { query: { $expr: { $and: [] } } }, 'AND'],
        ],
        { isWhole },
      ),
    )('refuses %s, also in a project without costs', async (_, request, reason) => {
      for (const project of [project_id, app.newProject()]) {
        const answer = await refusal('/cost/query', { project_id: project, ...request })
        expect(answer).toMatchObject({ status: 400, body: { reason: expect.stringContaining(reason) } })
      }
    })

    test.skipIf(isMissing)('an order of another direction or with another key is 422', async () => {
      for (const key of [{ direction: 'up' }, { direction: 'asc', nulls: 'first' }])
        expect((await refusal('/cost/query', { project_id, sort_by: [{ field: 'id', ...key }] })).status).toBe(422)
    })

    sliceOfSuite({ isWhole })
  })

  describe('purge', () => {
    test.skipIf(isMissing)('removes the rows of the project that are named, and ignores other ids', async () => {
      const [project_id, other] = [app.newProject(), app.newProject()]
      const { ids } = (await create(project_id, { a: aPrice, b: aPrice, c: aPrice })).body
      const theirs = (await create(other, { theirs: aPrice })).body.ids
      const named = [ids[0]?.[0], theirs[0]?.[0], 'unknown', 'nul\0'].map(literal)
      const purged = await app.client.costs.purge({ project_id, query: { $expr: { $in: [field('id'), named] } } })
      expect(purged).toEqual({})
      expect(await models(project_id)).toEqual(['b', 'c'])
      expect(await models(other)).toEqual(['theirs'])
      await app.client.costs.purge({ project_id, query: { $expr: { $or: [{ $eq: [field('id'), literal(ids[1]?.[0])] }] } } })
      expect(await models(project_id)).toEqual(['c'])
    })

    test.skipIf(isMissing)('needs a query of ids alone', async () => {
      const project_id = app.newProject()
      expect((await refusal('/cost/purge', { project_id })).status).toBe(422)
      const byModel = { $expr: { $eq: [field('llm_id'), literal('a')] } }
      expect(await refusal('/cost/purge', { project_id, query: byModel })).toMatchObject({
        status: 400,
        body: { reason: 'Can only purge costs by specifying one or more cost ids' },
      })
    })

    sliceOfSuite({ isWhole })
  })
})
