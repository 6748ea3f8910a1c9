import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
let project_id: string
/** References by what they lead to. */
let to: Record<'list' | 'text' | 'class' | 'dataset' | 'through' | 'deleted' | 'foreign' | 'table' | 'row' | 'outside', string>
let rowDigests: string[]
let other: string

beforeAll(async () => {
  app = await startTestApp()
  project_id = app.newProject()
  other = app.newProject()
  const table = await app.client.tables.create({
    table: {
      project_id,
      rows: [
        { q: 'first', deep: { list: [1, { x: 'y' }] } },
        { q: 'second', model: null },
      ],
    },
  })
  const unlisted = await app.client.tables.create({ table: { project_id, rows: [{ q: 'in no dataset' }] } })
  rowDigests = table.row_digests
  const there = await publish('there', { value: 'elsewhere' }, other)
  const aClass = await publish('class', { _type: 'Model', temperature: 0.5, 'odd key/%': { n: null } })
  const deleted = await publish('deleted', { gone: true })
  to = {
    list: await publish('list', ['a', { b: [true] }, null]),
    text: await publish('text', 'some text'),
    class: aClass,
    dataset: await publish('dataset', { rows: `weave:///${project_id}/table/${table.digest}`, name: 'ds' }),
    through: await publish('through', { model: aClass, deeper: `${aClass}/key/odd%20key%2F%25`, gone: deleted, there }),
    deleted,
    foreign: there,
    table: `weave:///${project_id}/table/${table.digest}`,
    row: `weave:///${project_id}/table/${table.digest}/id/${rowDigests[0]}`,
    outside: unlisted.row_digests[0] ?? '',
  }
  await app.client.objects.delete({ project_id, object_id: 'deleted', digests: [deleted.split(':').at(-1) ?? ''] })
})
afterAll(() => app.close())

async function publish(object_id: string, val: unknown, project = project_id): Promise<string> {
  const { digest } = await app.client.objects.create({ obj: { project_id: project, object_id, val } })
  return `weave:///${project}/object/${object_id}:${digest}`
}

const read = async (...refs: string[]) => (await app.client.refs.readBatch({ refs })).vals
const post = (refs: readonly string[]) => sendRaw(app, { path: '/refs/read_batch', body: { refs } })
type Name = keyof typeof to

test('more than 1000 are refused', async () => {
  expect(await post(Array.from({ length: 1_001 }, () => to.text))).toMatchObject({
    status: 400,
    body: { reason: expect.stringContaining('Too many refs') },
  })
  expect((await read(...Array.from({ length: 1_000 }, () => to.text))).length).toBe(1_000)
})

test('no refs have no values', async () => {
  expect(await read()).toEqual([])
})

test.each<[string, () => string]>([
  ['a text that is none', () => 'text'],
  ['an unknown kind', () => `weave:///${project_id}/agent_span/1`],
  ['an odd count of edges', () => `${to.class}/key`],
  ['an unknown edge', () => `${to.class}/member/x`],
  ['a table as a whole', () => to.table],
  ['a call', () => `weave:///${project_id}/call/1`],
  ['an internal one of no project', () => 'weave-trace-internal:///nowhere/object/x:y'],
  ['a private one', () => 'weave-private://///object/x:y'],
])('%s is refused', async (_, ref) => {
  expect(await post([to.text, ref()])).toMatchObject({ status: 400, body: { reason: expect.any(String) } })
})

test('unknown objects and versions fail the batch and are named', async () => {
  const [one, two] = ['weave:///unknown/project/object/x:BBB', `${to.text.split(':').slice(0, 2).join(':')}:AAA`]
  expect(await post([one, to.text, two, one])).toMatchObject({
    status: 404,
    body: { reason: expect.stringContaining('AAA, BBB'), missing_object_digests: ['AAA', 'BBB'] },
  })
})

test('values come in the order of the refs, repeated ones repeatedly', async () => {
  expect(await read(to.text, to.list, to.text)).toEqual(['some text', ['a', { b: [true] }, null], 'some text'])
})

test('a deleted object is null in its place', async () => {
  expect(await read(to.deleted, to.text, `${to.deleted}/key/gone`)).toEqual([null, 'some text', null])
})

test('a whole value keeps the references in it', async () => {
  expect(await read(to.dataset)).toEqual([{ rows: to.table, name: 'ds' }])
})

test('numbers come as they were stored', async () => {
  const { status } = await sendRaw(app, {
    path: '/obj/create',
    body: `{"obj":{"project_id":"${project_id}","object_id":"numbers","val":{"b":1.0,"a":12345678901234567890}}}`,
  })
  expect(status).toBe(200)
  expect((await post([`weave:///${project_id}/object/numbers:latest`])).text).toBe('{"vals":[{"b":1.0,"a":12345678901234567890}]}')
})

test('`latest` and `v<n>` name versions as they do elsewhere', async () => {
  const name = to.text.slice(0, to.text.lastIndexOf(':'))
  expect(await read(`${name}:latest`, `${name}:v0`)).toEqual(['some text', 'some text'])
})

test('the internal form of a reference works for a project that one may read', async () => {
  const [projects] = await app.client.service.projectsInfo({ project_ids: [project_id] })
  const internal = to.class.replace(`weave:///${project_id}/`, `weave-trace-internal:///${projects?.internal_project_id}/`)
  expect(await read(`${internal}/key/temperature`)).toEqual([0.5])
})

describe('edges', () => {
  test.each<[Name, string, unknown]>([
    ['class', '/attr/temperature', 0.5],
    ['class', '/key/temperature', 0.5],
    ['class', '/key/missing', null],
    ['class', '/attr/missing/key/below', null],
    ['class', '/key/odd%20key%2F%25', { n: null }],
    ['class', '/key/odd%20key%2F%25/key/n', null],
    ['class', '/key/odd%20key%2F%25/key/n/key/below', null],
    ['list', '/index/0', 'a'],
    ['list', '/index/1/key/b/index/0', true],
    ['list', '/index/2/key/x', null],
    ['list', '/index/3', null],
    ['list', '/index/-1', null],
    ['through', '/key/model/attr/temperature', 0.5],
    ['through', '/key/deeper/key/n', null],
    ['through', '/key/gone/key/gone', null],
    ['through', '/key/there/key/value', null],
  ])('%s%s', async (name, edges, expected) => {
    expect(await read(to[name] + edges)).toEqual([expected])
  })

  test.each<[Name, string]>([
    ['class', '/index/0'],
    ['list', '/key/a'],
    ['list', '/attr/a'],
    ['text', '/key/a'],
    ['class', '/attr/temperature/key/x'],
    ['class', '/id/x'],
    ['list', '/index/0/id/x'],
    ['dataset', '/attr/rows/key/x'],
    ['dataset', '/attr/rows/index/0'],
    ['dataset', '/attr/name/id/x'],
  ])('%s%s is refused', async (name, edges) => {
    expect(await post([to[name] + edges])).toMatchObject({ status: 400, body: { reason: expect.any(String) } })
  })
})

describe('rows of tables', () => {
  test('are found by their digest, behind a dataset and by the table itself, and further edges apply to them', async () => {
    const [first, second] = rowDigests.map((digest) => `${to.dataset}/attr/rows/id/${digest}`)
    const firstRow = { q: 'first', deep: { list: [1, { x: 'y' }] } }
    expect(
      await read(`${second}/key/q`, first ?? '', to.row, `${first}/key/deep/attr/list/index/1/key/x`, `${second}/key/model/key/x`),
    ).toEqual(['second', firstRow, firstRow, 'y', null])
  })

  test('that are unknown, or of another table, are not found', async () => {
    for (const digest of ['unknown', to.outside]) {
      const answer = await post([to.text, `${to.dataset}/attr/rows/id/${digest}`])
      expect(answer).toMatchObject({ status: 404, body: { reason: expect.stringContaining(digest) } })
      expect(answer.body).not.toHaveProperty('missing_object_digests')
    }
  })

  test('of which the table lists the digest but nobody stored the row are not found', async () => {
    const { digest } = await app.client.tables.createFromDigests({ project_id, row_digests: ['never'] })
    expect(await post([`weave:///${project_id}/table/${digest}/id/never`])).toMatchObject({ status: 404 })
  })

  test('are not read with an edge of a list', async () => {
    expect(await post([`${to.row}/index/0`])).toMatchObject({ status: 400 })
  })
})

describe('projects', () => {
  test('each ref is read in its own project', async () => {
    expect(await read(to.foreign, to.text, `${to.foreign}/key/value`)).toEqual([{ value: 'elsewhere' }, 'some text', 'elsewhere'])
  })

  test('one that the caller may not see is refused, whether it exists or not, and hidden inside values', async () => {
    const reader = await app.clientFor({ name: 'reader', role: 'admin', projects: [{ project_id, role: 'reader' }] })
    for (const ref of [to.foreign, 'weave:///no/where/object/x:y'])
      await expect(reader.refs.readBatch({ refs: [to.text, ref] })).rejects.toMatchObject({ status: 403 })
    const hidden = to.foreign.replace(`weave:///${other}`, 'weave-private:////')
    expect((await reader.refs.readBatch({ refs: [`${to.through}/key/there`] })).vals).toEqual([hidden])
    expect(await read(`${to.through}/key/there`)).toEqual([to.foreign])
  })
})
