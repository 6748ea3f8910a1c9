import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp, type TestClient } from '../../testing/start-test-app.ts'

let app: TestApp
let client: TestClient
let project_id: string
let place: { entity: string; project: string }
beforeAll(async () => {
  app = await startTestApp()
  client = app.client
})
afterAll(() => app.close())

/** A project in which nothing is yet. */
function inNewProject(): void {
  project_id = app.newProject()
  const [entity = '', project = ''] = project_id.split('/')
  place = { entity, project }
}

async function gather<T>(lines: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const line of lines) all.push(line)
  return all
}

const names = ['ops', 'datasets', 'scorers', 'models', 'evaluations'] as const
/** One version of an object in each collection; another `text` is another version. */
const creations: Record<(typeof names)[number], (name: string, text: string) => Promise<{ object_id: string; digest: string }>> = {
  ops: (name, source_code) => client.ops.create({ ...place, name, source_code }),
  datasets: (name, text) => client.datasets.create({ ...place, name, rows: [{ text }] }),
  scorers: (name, op_source_code) => client.scorers.create({ ...place, name, op_source_code }),
  models: (name, source_code) => client.models.create({ ...place, name, source_code }),
  evaluations: (name, dataset) => client.evaluations.create({ ...place, name, dataset }),
}

describe.each(names)('%s', (group) => {
  const create = creations[group]
  const read = (object_id: string, digest: string) => client[group].read({ ...place, object_id, digest })
  const list = (page: { limit?: number; offset?: number } = {}) =>
    gather<{ object_id: string; digest: string }>(client[group].list({ ...place, ...page }))
  const base = `/v2/{place}/${group}`
  const pathOf = (rest: string) => `${base}${rest}`.replace('{place}', project_id)

  test('find an object under the safe form of its name', async () => {
    inNewProject()
    const { object_id } = await create('My Own/Näme (2)!', 'a')
    expect(object_id).toBe('my_own_näme_2')
    expect(await read(object_id, 'latest')).toMatchObject({ object_id })
  })

  test.each([
    ['', 422],
    ['?!', 422],
    ['x'.repeat(129), 400],
  ])('refuse the name %j with %i', async (name, status) => {
    await expect(create(name, 'a')).rejects.toMatchObject({ status })
  })

  test('take the same content for the same version', async () => {
    inNewProject()
    const first = await create('n', 'a')
    expect(await create('n', 'a')).toEqual(first)
    expect(await create('n', 'b')).toMatchObject({ object_id: 'n', version_index: 1 })
  })

  test('are read by digest, index, `latest` and alias, and answer the digest', async () => {
    inNewProject()
    const { digest } = await create('n', 'a')
    await create('n', 'b')
    await client.objects.setAliases({ project_id, object_id: 'n', digest, aliases: ['best'] })
    for (const word of [digest, 'v0', 'best']) expect(await read('n', word)).toMatchObject({ digest, version_index: 0 })
    expect(await read('n', 'latest')).toMatchObject({ version_index: 1 })
  })

  test('are seen as objects too', async () => {
    inNewProject()
    const { object_id, digest } = await create('n', 'a')
    const { obj } = await client.objects.read({ project_id, object_id, digest })
    expect(obj).toMatchObject({ digest, wb_user_id: 'tester', kind: group === 'ops' ? 'op' : 'object' })
  })

  test('are listed in pages, oldest first, as JSON lines whatever is accepted', async () => {
    inNewProject()
    expect(await list()).toEqual([])
    for (const name of ['b', 'a', 'c']) await create(name, 'x')
    const all = await list()
    expect(all.map(({ object_id }) => object_id)).toEqual(['b', 'a', 'c'])
    expect(await list({ limit: 1, offset: 1 })).toEqual([all[1]])
    expect(await list({ limit: 0 })).toEqual([])
    for (const accept of ['application/x-ndjson', 'application/jsonl', 'text/plain']) {
      const answer = await sendRaw(app, { method: 'GET', path: pathOf(''), headers: { accept } })
      expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'application/jsonl'])
      expect(answer.text.trim().split('\n')).toHaveLength(3)
    }
  })

  test.each(['limit', 'offset'])('refuse a negative %s', async (name) => {
    expect((await sendRaw(app, { method: 'GET', path: pathOf(`?${name}=-1`) })).status).toBe(400)
  })

  test('are deleted by digests, repeated or joined by commas, or all at once', async () => {
    inNewProject()
    const [a, b, c] = [await create('n', 'a'), await create('n', 'b'), await create('n', 'c')]
    const joined = await sendRaw(app, { method: 'DELETE', path: pathOf(`/n?digests=${a.digest},${b.digest}`) })
    expect(joined.body).toEqual({ num_deleted: 2 })
    await expect(read('n', a.digest)).rejects.toMatchObject({ status: 404, extra: { deleted_at: expect.any(String) } })
    await create('n', 'a')
    expect(await client[group].delete({ ...place, object_id: 'n', digests: [a.digest, c.digest] })).toEqual({ num_deleted: 2 })
    await create('n', 'd')
    await create('n', 'e')
    expect(await client[group].delete({ ...place, object_id: 'n' })).toEqual({ num_deleted: 2 })
    await expect(client[group].delete({ ...place, object_id: 'n' })).rejects.toMatchObject({ status: 404 })
  })

  test('are deleted as a whole or not at all', async () => {
    inNewProject()
    const { digest } = await create('n', 'a')
    await expect(client[group].delete({ ...place, object_id: 'n', digests: [digest, 'v7'] })).rejects.toMatchObject({ status: 404 })
    await expect(client[group].delete({ ...place, object_id: 'n', digests: Array(101).fill(digest) })).rejects.toMatchObject({
      status: 400,
    })
    expect(await read('n', digest)).toMatchObject({ digest })
  })

  test('answer 404 for an unknown object or version', async () => {
    inNewProject()
    await create('n', 'a')
    for (const [object_id, digest] of [
      ['n', 'v1'],
      ['m', 'latest'],
    ] as const) {
      await expect(read(object_id, digest)).rejects.toMatchObject({ status: 404, message: `Obj ${object_id}:${digest} not found` })
    }
  })
})

test('values of any shape under the class of a collection neither fail a read nor a list', async () => {
  inNewProject()
  const classes = (name: string) => ({ _type: name, _class_name: name, _bases: ['Object', 'BaseModel'] })
  const odd = { name: 7, description: [], rows: {}, score: 1, files: 'x', dataset: null, scorers: [1, 'r'], trials: 'two', evaluate: {} }
  for (const name of ['Dataset', 'Scorer', 'Model', 'Evaluation']) {
    await client.objects.create({ obj: { project_id, object_id: `odd_${name}`, val: { ...classes(name), ...odd } } })
  }
  const common = {
    object_id: expect.any(String),
    digest: expect.any(String),
    version_index: 0,
    created_at: expect.any(String),
    description: null,
  }
  expect(await gather(client.datasets.list(place))).toEqual([{ ...common, name: 'odd_Dataset', rows: '' }])
  expect(await gather(client.scorers.list(place))).toEqual([{ ...common, name: 'odd_Scorer', score_op: '' }])
  expect(await gather(client.models.list(place))).toMatchObject([{ name: 'odd_Model', source_code: '', attributes: { trials: 'two' } }])
  expect(await gather(client.evaluations.list(place))).toMatchObject([{ dataset: '', scorers: ['r'], trials: 1, evaluate_op: '' }])
})

test('rows of a dataset are read from its table', async () => {
  inNewProject()
  const { object_id, digest } = await client.datasets.create({ ...place, name: 'd', rows: [{ q: 1 }, { q: 2 }] })
  const { rows } = await client.datasets.read({ ...place, object_id, digest })
  const table = rows.split('/').at(-1) ?? ''
  expect((await client.tables.query({ project_id, digest: table })).rows.map(({ val }) => val)).toEqual([{ q: 1 }, { q: 2 }])
})

test('ops of scorers and evaluations are found by their references', async () => {
  inNewProject()
  const scorer = await client.scorers.create({ ...place, name: 'Acc', op_source_code: 'def score(): ...' })
  const { score_op } = await client.scorers.read({ ...place, ...scorer })
  const evaluation = await client.evaluations.create({ ...place, name: 'Ev', dataset: 'd', scorers: [scorer.scorer], trials: 3 })
  const { evaluate_op, scorers, trials } = await client.evaluations.read({ ...place, ...evaluation })
  expect({ scorers, trials }).toEqual({ scorers: [scorer.scorer], trials: 3 })
  expect((await client.refs.readBatch({ refs: [score_op, evaluate_op] })).vals).toMatchObject([
    { weave_type: { type: 'Op' } },
    { weave_type: { type: 'Op' } },
  ])
  expect(await client.ops.read({ ...place, object_id: 'acc_score', digest: 'latest' })).toMatchObject({ code: 'def score(): ...' })
})

test.each([
  ['models', { name: 'm', source_code: '', attributes: { _type: 'T', files: {} } }, "attributes must not contain '_type', 'files'"],
  ['evaluations', { name: 'e', dataset: 'd', eval_attributes: { trials: 2 } }, "eval_attributes must not contain 'trials'"],
] as const)('%s refuse attributes with the names of their own fields', async (group, body, message) => {
  inNewProject()
  await expect(client[group].create({ ...place, ...body } as never)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(message),
  })
})

test('attributes keep their numbers', async () => {
  inNewProject()
  const body = `{"name":"m","source_code":"","attributes":{"temperature":1.0,"large":12345678901234567890}}`
  await sendRaw(app, { path: `/v2/${project_id}/models`, body })
  const { text } = await sendRaw(app, { method: 'GET', path: `/v2/${project_id}/models` })
  expect(text).toContain('"attributes":{"temperature":1.0,"large":12345678901234567890}')
})

test('the deletion of an op that is none is refused', async () => {
  inNewProject()
  await client.datasets.create({ ...place, name: 'd', rows: [] })
  await expect(client.ops.delete({ ...place, object_id: 'd' })).rejects.toMatchObject({ status: 404 })
})
