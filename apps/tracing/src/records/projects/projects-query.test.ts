import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { aCall, newId, record } from '../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp, type TestClient } from '../../testing/start-test-app.ts'
import { micros } from '../../testing/system-micros.ts'

const dayMicros = 86_400_000_000
const daysAgo = (days: number) => new Date((micros() - days * dayMicros) / 1_000).toISOString()

describe.each([
  { dialect: 'SQLite', options: {}, isMissing: false },
  { dialect: 'PostgreSQL', options: { postgresUrl: inject('postgresUrl') }, isMissing: inject('postgresUrl') === '' },
])('the list of projects on $dialect', ({ options, isMissing }) => {
  let app: TestApp
  /** An entity of the tests of this file, so that they see no other projects. */
  const entity = `list-${randomUUID()}`
  let reader: TestClient
  beforeAll(async () => {
    if (isMissing) return
    app = await startTestApp(options)
    reader = await app.clientFor({ name: 'reader', role: 'reader', entity })
    for (const name of ['a', 'b', 'c_1', 'c%2'])
      await record(app.client, aCall({ project_id: `${entity}/${name}`, started_at: daysAgo(1) }))
  })
  afterAll(() => (isMissing ? undefined : app.close()))

  const idsFor = async (client: TestClient, request: Parameters<TestClient['projects']['query']>[0] = {}) =>
    (await client.projects.query(request)).projects.map(({ id }) => id)
  const named = (...names: string[]) => names.map((name) => `${entity}/${name}`)

  test.skipIf(isMissing)('pages follow each other until all projects of the key were listed', async () => {
    const listed: string[] = []
    for (let hasMore = true; hasMore;) {
      const page = await reader.projects.query({ limit: 3, after: listed.at(-1) ?? null })
      listed.push(...page.projects.map(({ id }) => id))
      hasMore = page.has_more
    }
    expect(listed).toHaveLength(4)
    expect([...listed].sort()).toEqual(named('a', 'b', 'c%2', 'c_1'))
  })

  test.skipIf(isMissing).each([
    ['/A', ['a']],
    ['c_', ['c_1']],
    ['c%', ['c%2']],
    ['\\', []],
    ['\0', []],
  ])('a text selects the projects that contain it as it is: %j', async (contains, names) => {
    expect(await idsFor(reader, { contains })).toEqual(named(...names))
  })

  test.skipIf(isMissing)('a key sees the projects that it may read, and no other', async () => {
    const own = await app.clientFor({
      name: 'own',
      role: 'admin',
      projects: [
        { project_id: `${entity}/b`, role: 'reader' },
        { project_id: `${entity}/a`, role: 'ingest' },
      ],
    })
    expect(await idsFor(own)).toEqual(named('b'))
    expect(await idsFor(await app.clientFor({ name: 'other', role: 'admin', entity: `${entity}-2` }))).toEqual([])
    await expect(idsFor(await app.clientFor({ name: 'sender', role: 'ingest' }))).rejects.toMatchObject({ status: 403 })
  })

  test.skipIf(isMissing).each([[{ limit: 0 }], [{ limit: 101 }], [{ contains: 'x'.repeat(258) }]])('%j is refused', async (body) => {
    expect((await sendRaw(app, { path: '/project/query', body })).status).toBe(422)
  })
})

describe('a project in the list', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  /** A project with these calls, as it is listed. */
  async function listed(...calls: Omit<Parameters<typeof aCall>[0], 'project_id'>[]) {
    const project_id = app.newProject()
    const price = { prompt_token_cost: 0.5, completion_token_cost: 2 }
    await app.client.costs.create({ project_id, costs: { priced: price } })
    if (calls.length > 0) await record(app.client, ...calls.map((call) => aCall({ ...call, project_id })))
    const { projects } = await app.client.projects.query({ contains: project_id })
    return projects[0]
  }
  const usageOf = (model: string) => ({ usage: { [model]: { prompt_tokens: 10, completion_tokens: 1 } } })

  test('counts the calls of seven days, and those of them that failed', async () => {
    const newest = `${daysAgo(1).slice(0, 19)}Z`
    expect(await listed({ started_at: daysAgo(8) }, { started_at: daysAgo(6), exception: 'gone' }, { started_at: newest })).toMatchObject({
      calls_7d: 2,
      errors_7d: 1,
      last_call_at: newest,
    })
  })

  test('says when its newest call started, also where that is long ago', async () => {
    expect(await listed({ started_at: '2020-01-02T03:04:05Z' }, { started_at: '2019-01-01T00:00:00Z' })).toMatchObject({
      calls_7d: 0,
      last_call_at: '2020-01-02T03:04:05Z',
      cost_7d: null,
    })
    expect(await listed()).toMatchObject({ calls_7d: 0, last_call_at: null, cost_7d: null, unpriced_7d: 0 })
  })

  test('costs what the tokens in the roots of its traces cost, and counts the uses without a price', async () => {
    const started_at = daysAgo(1)
    const [id, trace_id] = [newId(), newId()]
    const calls = [
      { id, trace_id, started_at, summary: usageOf('priced') },
      { parent_id: id, trace_id, started_at, summary: usageOf('priced') },
      { started_at, summary: usageOf('model-without-a-price') },
      { started_at: daysAgo(9), summary: usageOf('priced') },
    ]
    expect(await listed(...calls)).toMatchObject({ calls_7d: 3, cost_7d: 7, unpriced_7d: 1 })
    expect(await listed({ started_at, summary: usageOf('model-without-a-price') })).toMatchObject({ cost_7d: null, unpriced_7d: 1 })
  })
})
