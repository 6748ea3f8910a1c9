import { tracing } from '@heddle/core-api'
import type { TableUpdate } from '@heddle/core-api/types'
import { tablesTable, rowEncoder } from '@heddle/datastore'
import { parseJson } from '@heddle/json'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp, type TestClient } from '../../testing/start-test-app.ts'
import vectors from '../../vectors/digest-vectors.json' with { type: 'json' }

const emptyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const nowhere = 'a'.repeat(64)

let app: TestApp
let client: TestClient
let project_id: string
beforeAll(async () => {
  app = await startTestApp()
  client = app.client
  project_id = app.newProject()
})
afterAll(() => app.close())

type Query = Omit<Parameters<TestClient['tables']['query']>[0], 'project_id'>
type Row = Record<string, unknown>

const create = (rows: Row[], more: { expected_digest?: string } = {}) => client.tables.create({ table: { project_id, rows, ...more } })
const query = async (given: Query) => (await client.tables.query({ project_id, ...given })).rows
const values = async (given: Query) => (await query(given)).map(({ val }) => val)
const update = (base_digest: string, updates: TableUpdate[]) => client.tables.update({ project_id, base_digest, updates })
const post = (operation: keyof typeof tracing.tables, body: unknown) => sendRaw(app, { path: tracing.tables[operation].path, body })
const createText = (rows: string) =>
  sendRaw(app, { path: '/table/create', body: `{"table":{"project_id":"${project_id}","rows":${rows}}}` })
const n = (...numbers: number[]) => numbers.map((number) => ({ n: number }))

describe('digests', () => {
  const recorded = vectors.vectors.filter(({ kind }) => kind === 'row' || kind === 'table')

  test.each(recorded.filter(({ kind }) => kind === 'row'))('$name', async ({ json = '', digest }) => {
    expect((await createText(`[${json}]`)).body).toMatchObject({ row_digests: [digest] })
  })

  test.each(recorded.filter(({ kind }) => kind === 'table'))('$name', async ({ json = '', row_digests, digest }) => {
    expect((await createText(json)).body).toEqual({ digest, row_digests })
    expect(await client.tables.createFromDigests({ project_id, row_digests: row_digests ?? [] })).toEqual({ digest })
  })

  test('are taken over references in their internal form, and the rows come back with them in external form', async () => {
    const [projects] = await client.service.projectsInfo({ project_ids: [project_id] })
    const internalId = projects?.internal_project_id
    const place = 'object/x:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    const external = await create([{ r: `weave:///${project_id}/${place}` }])
    const internal = await create([{ r: `weave-trace-internal:///${internalId}/${place}` }])
    expect(internal).toEqual(external)
    expect(await values({ digest: external.digest })).toEqual([{ r: `weave:///${project_id}/${place}` }])
  })

  test('are taken over rows as they were sent, halves of surrogate pairs included', async () => {
    const { body } = await createText('[{"half":"\\ud83d"}]')
    const { digest, row_digests } = body as { digest: string; row_digests: string[] }
    expect(row_digests).not.toEqual((await create([{ half: '�' }])).row_digests)
    expect((await post('query', { project_id, digest })).text).toContain('{"half":"\\ud83d"}')
  })
})

describe('create', () => {
  test('rows come back as they were sent: key order, numbers, text', async () => {
    const row = '{"z":1.0,"a":[12345678901234567890,1e3,-0],"text":"é🙂\\u0000","nested":{"b":null,"a":true}}'
    const { digest } = (await createText(`[${row}]`)).body as { digest: string }
    expect((await post('query', { project_id, digest })).text).toContain(`"val":${row},"original_index":0`)
  })

  test('a row that is not an object is refused by its place', async () => {
    const answer = await post('create', { table: { project_id, rows: [{}, [1]] } })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'table', 'rows', 1], type: 'dict_type' }] } })
    expect(await createText('[1.0]')).toMatchObject({ status: 422 })
  })

  test('no rows are the empty table', async () => {
    expect(await create([])).toEqual({ digest: emptyDigest, row_digests: [] })
    expect(await query({ digest: emptyDigest })).toEqual([])
    expect(await client.tables.queryStatsBatch({ project_id, digests: [emptyDigest] })).toEqual({
      tables: [{ count: 0, digest: emptyDigest, storage_size_bytes: null }],
    })
  })

  test('the expected digest is that of the table; another one is refused and nothing is stored', async () => {
    const rows = [{ expected: 1 }]
    const own = app.newProject()
    const refused = await post('create', { table: { project_id: own, rows, expected_digest: nowhere } })
    const { digest, row_digests } = await create(rows)
    expect(refused).toMatchObject({ status: 409, body: { reason: expect.stringContaining(digest) } })
    expect(await client.tables.queryStats({ project_id: own, digest })).toEqual({ count: 0 })
    await client.tables.createFromDigests({ project_id: own, row_digests })
    expect(await client.tables.query({ project_id: own, digest })).toEqual({ rows: [] })
    expect(await create(rows, { expected_digest: digest })).toMatchObject({ digest })
  })

  test('the same table again is the same, also by many at once', async () => {
    const rows = n(...Array.from({ length: 30 }, (_, index) => index % 7))
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(rows)))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await values({ digest: answers[0]?.digest ?? '' })).toEqual(rows)
    expect(await client.tables.queryStats({ project_id, digest: answers[0]?.digest ?? '' })).toEqual({ count: 30 })
  })

  test('is refused for a reference into a project that the caller may not see', async () => {
    const limited = await app.clientFor({ name: 'limited', role: 'admin', projects: [{ project_id, role: 'admin' }] })
    const rows = [{ ref: 'weave:///other/project/object/x:y' }]
    await expect(limited.tables.create({ table: { project_id, rows } })).rejects.toMatchObject({ status: 403 })
  })
})

describe('create_from_digests', () => {
  test('puts rows together that were uploaded in pieces', async () => {
    const pieces = await Promise.all([n(1, 2), n(3), n(2, 4)].map((rows) => create(rows)))
    const row_digests = pieces.flatMap((piece) => piece.row_digests)
    const { digest } = await client.tables.createFromDigests({ project_id, row_digests })
    expect(await values({ digest })).toEqual(n(1, 2, 3, 2, 4))
    expect(await create(n(1, 2, 3, 2, 4))).toMatchObject({ digest })
  })

  test('rows that were never uploaded are missing, and the others keep their positions', async () => {
    const { row_digests } = await create(n(10, 11, 12))
    const [first = '', second = '', third = ''] = row_digests
    const { digest } = await client.tables.createFromDigests({ project_id, row_digests: [first, 'unknown-1', second, 'unknown-2', third] })
    expect((await query({ digest })).map(({ original_index }) => original_index)).toEqual([0, 2, 4])
    expect((await query({ digest, offset: 1, limit: 1 })).map(({ original_index }) => original_index)).toEqual([2])
    expect(await client.tables.queryStats({ project_id, digest })).toEqual({ count: 5 })
  })

  test('rows that come later are there from then on', async () => {
    const { row_digests } = await client.tables.create({ table: { project_id: app.newProject(), rows: n(100, 101) } })
    const { digest } = await client.tables.createFromDigests({ project_id, row_digests })
    expect(await query({ digest })).toEqual([])
    await create(n(101))
    expect(await values({ digest })).toEqual(n(101))
    await create(n(100))
    expect(await values({ digest })).toEqual(n(100, 101))
  })

  test('an expected digest that differs is refused', async () => {
    const answer = await post('createFromDigests', { project_id, row_digests: ['x'], expected_digest: nowhere })
    expect(answer.status).toBe(409)
  })

  test('the empty list with which clients ask for the operation is the empty table', async () => {
    expect(await post('createFromDigests', { project_id, row_digests: [] })).toMatchObject({ status: 200, body: { digest: emptyDigest } })
  })
})

describe('update', () => {
  test.each<[string, TableUpdate[], number[]]>([
    ['append', [{ append: { row: { n: 9 } } }], [0, 1, 2, 9]],
    ['pop of the first', [{ pop: { index: 0 } }], [1, 2]],
    ['pop of the last', [{ pop: { index: 2 } }], [0, 1]],
    ['insert before the first', [{ insert: { index: 0, row: { n: 9 } } }], [9, 0, 1, 2]],
    ['insert behind the last', [{ insert: { index: 3, row: { n: 9 } } }], [0, 1, 2, 9]],
    [
      'several, each on what the one before left',
      [{ append: { row: { n: 9 } } }, { pop: { index: 3 } }, { pop: { index: 0 } }, { insert: { index: 1, row: { n: 7 } } }],
      [1, 7, 2],
    ],
    ['pop until nothing is left', [{ pop: { index: 0 } }, { pop: { index: 0 } }, { pop: { index: 0 } }], []],
  ])('%s', async (_, updates, expected) => {
    const base = await create(n(0, 1, 2))
    const { digest } = await update(base.digest, updates)
    expect(await values({ digest })).toEqual(n(...expected))
    expect((await create(n(...expected))).digest).toBe(digest)
    expect(await values({ digest: base.digest })).toEqual(n(0, 1, 2))
  })

  test('tells the digest of the row that each change added or removed', async () => {
    const base = await create(n(0, 1, 2))
    const added = (await create(n(8, 9))).row_digests
    const { updated_row_digests } = await update(base.digest, [
      { append: { row: { n: 8 } } },
      { pop: { index: 1 } },
      { insert: { index: 0, row: { n: 9 } } },
    ])
    expect(updated_row_digests).toEqual([added[0], base.row_digests[1], added[1]])
  })

  test.each<[string, TableUpdate[]]>([
    ['pop behind the last', [{ pop: { index: 2 } }]],
    ['pop of a negative position', [{ pop: { index: -1 } }]],
    ['insert behind the end', [{ insert: { index: 3, row: {} } }]],
    ['insert at a negative position', [{ insert: { index: -1, row: {} } }]],
    ['a position that the change before took away', [{ pop: { index: 1 } }, { pop: { index: 1 } }]],
  ])('%s is out of range, and nothing is stored', async (_, updates) => {
    const base = await create(n(20, 21))
    const answer = await post('update', {
      project_id,
      base_digest: base.digest,
      updates: [{ append: { row: { lost: 1 } } }, { pop: { index: 2 } }, ...updates],
    })
    expect(answer).toMatchObject({ status: 400, body: { reason: expect.stringContaining('Index out of range') } })
    const [lost = ''] = (await client.tables.create({ table: { project_id: app.newProject(), rows: [{ lost: 1 }] } })).row_digests
    const { digest } = await client.tables.createFromDigests({ project_id, row_digests: [lost] })
    expect(await query({ digest })).toEqual([])
  })

  test('no changes are the base', async () => {
    const { digest } = await create(n(0, 1))
    expect(await update(digest, [])).toEqual({ digest, updated_row_digests: [] })
  })

  test('an unknown base is not found', async () => {
    expect(await post('update', { project_id, base_digest: nowhere, updates: [] })).toMatchObject({ status: 404 })
  })

  test.each<[string, unknown, (string | number)[]]>([
    ['an unknown key', { replace: {} }, []],
    ['two keys', { append: { row: {} }, pop: { index: 0 } }, []],
    ['no key', {}, []],
    ['no object', 'append', []],
    ['no row', { append: {} }, ['append', 'row']],
    ['a row that is not an object', { append: { row: [] } }, ['append', 'row']],
    ['no index', { pop: {} }, ['pop', 'index']],
    ['an index that is not an integer', { insert: { index: 0.5, row: {} } }, ['insert', 'index']],
  ])('%s is refused by its place', async (_, wrong, loc) => {
    const { digest } = await create(n(0))
    const answer = await post('update', { project_id, base_digest: digest, updates: [wrong] })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'updates', 0, ...loc] }] } })
  })

  test('a chain of updates reaches the table that was uploaded at once', async () => {
    const all = Array.from({ length: 2_500 }, (_, index) => ({ index }))
    let { digest } = await create(all.slice(0, 1))
    for (let at = 1; at < all.length; at += 833)
      digest = (
        await update(
          digest,
          all.slice(at, at + 833).map((row) => ({ append: { row } })),
        )
      ).digest
    expect(digest).toBe((await create(all)).digest)
    const { digest: shorter } = await update(digest, [{ pop: { index: 1_700 } }, { insert: { index: 999, row: { n: 1 } } }])
    expect(await values({ digest: shorter })).toEqual([...all.slice(0, 999), { n: 1 }, ...all.slice(999, 1_700), ...all.slice(1_701)])
  })
})

describe('query', () => {
  test('an unknown table has no rows', async () => {
    expect(await query({ digest: nowhere })).toEqual([])
    expect(await query({ digest: 'no digest\0' })).toEqual([])
  })

  test('rows come in the order of the table with their positions, repeated ones repeatedly', async () => {
    const { digest, row_digests } = await create(n(3, 1, 3, 2))
    expect(await query({ digest })).toEqual(
      [3, 1, 3, 2].map((number, index) => ({ digest: row_digests[index], val: { n: number }, original_index: index })),
    )
  })

  test.each<[string, Omit<Query, 'digest'>, number[]]>([
    ['limit', { limit: 2 }, [0, 1]],
    ['offset', { offset: 3 }, [3, 4]],
    ['limit and offset', { limit: 2, offset: 1 }, [1, 2]],
    ['a limit beyond the end', { limit: 100, offset: 4 }, [4]],
    ['an offset beyond the end', { offset: 100 }, []],
    ['limit 0', { limit: 0 }, []],
    ['texts of numbers', { limit: '1', offset: '1' }, [1]],
    ['an empty filter', { filter: { row_digests: [] } }, [0, 1, 2, 3, 4]],
    ['a filter of nothing', { filter: {} }, [0, 1, 2, 3, 4]],
    ['an empty order', { sort_by: [], limit: 2 }, [0, 1]],
  ])('%s', async (_, given, positions) => {
    const { digest } = await create(n(50, 51, 52, 51, 50))
    expect((await query({ digest, ...given })).map(({ original_index }) => original_index)).toEqual(positions)
  })

  test('a filter keeps every position of its rows, and limit and offset count what it keeps', async () => {
    const { digest, row_digests } = await create(n(1, 2, 3, 1, 2))
    const [one = '', two = ''] = row_digests
    const positions = async (given: Omit<Query, 'digest'>) =>
      (await query({ digest, ...given })).map(({ original_index }) => original_index)
    expect(await positions({ filter: { row_digests: [two, one, 'unknown'] } })).toEqual([0, 1, 3, 4])
    expect(await positions({ filter: { row_digests: [two, one] }, limit: 2, offset: 1 })).toEqual([1, 3])
    expect(await positions({ filter: { row_digests: ['\0'] } })).toEqual([])
    const sort_by = [{ field: 'n', direction: 'desc' as const }]
    expect(await positions({ filter: { row_digests: [two, one] }, sort_by })).toEqual([1, 4, 0, 3])
  })

  test.each<[string, string, number[], number[]]>([
    ['numbers before texts, absent and null last', 'v', [3, 0, 4, 1, 2, 5, 6], [0, 3, 1, 4, 2, 5, 6]],
    ['a nested path', 'deep.x', [1, 0, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6]],
    ['a list position', 'list.0', [2, 3, 0, 1, 4, 5, 6], [3, 2, 0, 1, 4, 5, 6]],
  ])('sorts by dotted paths: %s', async (_, field, ascending, descending) => {
    const { digest } = await create([
      { v: 10, deep: { x: 'b' } },
      { v: 'a', deep: { x: 'a' } },
      { v: null, list: [1] },
      { v: '9', list: [2] },
      { v: 'B' },
      { i: 5 },
      { i: 6 },
    ])
    const order = async (direction: 'asc' | 'desc') =>
      (await query({ digest, sort_by: [{ field, direction }] })).map(({ original_index }) => original_index)
    expect([await order('asc'), await order('desc')]).toEqual([ascending, descending])
  })

  test('sorts by several keys, ties by position, and pages do not overlap', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => ({ a: index % 3, b: index % 5, index }))
    const { digest } = await create(rows)
    const sort_by = [
      { field: 'a', direction: 'desc' as const },
      { field: 'b', direction: 'asc' as const },
    ]
    const expected = rows.toSorted((one, other) => other.a - one.a || one.b - other.b || one.index - other.index)
    const pages = await Promise.all([0, 7, 14, 21, 28, 35].map((offset) => values({ digest, sort_by, limit: 7, offset })))
    expect(pages.flat()).toEqual(expected)
  })

  test.each(['', '.', '.a', 'a.', 'a..b', 'a. .b', ' '])('the sort field "%s" is refused', async (field) => {
    const { digest } = await create(n(0))
    expect(await post('query', { project_id, digest, sort_by: [{ field, direction: 'asc' }] })).toMatchObject({ status: 400 })
    expect(await post('queryStream', { project_id, digest, sort_by: [{ field, direction: 'asc' }] })).toMatchObject({ status: 400 })
  })

  test.each([{ limit: -1 }, { offset: -1 }])('%o is refused', async (given) => {
    expect(await post('query', { project_id, digest: nowhere, ...given })).toMatchObject({ status: 400 })
  })

  test.each([{ sort_by: [{ field: 'a', direction: 'up' }] }, { sort_by: [{ field: 'a', direction: 'asc', more: 1 }] }])(
    '%o is not an order',
    async (given) => {
      expect(await post('query', { project_id, digest: nowhere, ...given })).toMatchObject({ status: 422 })
    },
  )

  test('hides references into projects that the reader may not see', async () => {
    const hidden = app.newProject()
    const { digest } = await create([{ ref: `weave:///${hidden}/object/x:y` }])
    const reader = await app.clientFor({ name: 'reader', role: 'admin', projects: [{ project_id, role: 'reader' }] })
    const { rows } = await reader.tables.query({ project_id, digest })
    expect(rows.map(({ val }) => val)).toEqual([{ ref: 'weave-private://///object/x:y' }])
  })

  test('gives nothing of another project, whose digests are the same', async () => {
    const { digest, row_digests } = await create([{ secret: 'of one project' }])
    const other = app.newProject()
    expect(await client.tables.query({ project_id: other, digest })).toEqual({ rows: [] })
    await client.tables.createFromDigests({ project_id: other, row_digests })
    expect(await client.tables.query({ project_id: other, digest })).toEqual({ rows: [] })
    expect(await client.tables.queryStatsBatch({ project_id: other, digests: [digest], include_storage_size: true })).toEqual({
      tables: [{ count: 1, digest, storage_size_bytes: 0 }],
    })
  })

  test('a table of which not all chunks were written is not there', async () => {
    const digest = 'b'.repeat(64)
    const { row_digests } = await create(n(1))
    const encoder = rowEncoder(tablesTable)
    const chunk = { project_id, digest, row_count: 1_001n, version: 1n }
    encoder.add({ ...chunk, start: 0n, row_digests: Array.from({ length: 1_000 }, () => row_digests[0] ?? '') })
    await app.stores.analytical.insert(tablesTable, encoder.finish())
    expect(await query({ digest })).toEqual([])
    expect(await client.tables.queryStats({ project_id, digest })).toEqual({ count: 0 })
    expect(await post('update', { project_id, base_digest: digest, updates: [{ pop: { index: 0 } }] })).toMatchObject({ status: 404 })
    encoder.add({ ...chunk, start: 1_000n, row_digests })
    await app.stores.analytical.insert(tablesTable, encoder.finish())
    expect(await query({ digest, offset: 998 })).toHaveLength(3)
  })
})

describe('query_stream', () => {
  test('answers the rows of a query as lines', async () => {
    const { digest } = await create(n(5, 6, 7))
    const request = { project_id, digest, sort_by: [{ field: 'n', direction: 'desc' }], limit: 2 }
    const answer = await post('queryStream', request)
    expect(answer.headers.get('content-type')).toMatch(/^application\/jsonl/)
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => parseJson(line))
    expect(lines).toEqual(((await post('query', request)).body as { rows: unknown[] }).rows)
  })

  test('of an unknown table is empty', async () => {
    expect(await post('queryStream', { project_id, digest: nowhere })).toMatchObject({ status: 200, text: '' })
  })
})

describe('stats', () => {
  test('count positions, and 0 for an unknown table', async () => {
    const { digest } = await create(n(1, 1, 2))
    expect(await client.tables.queryStats({ project_id, digest })).toEqual({ count: 3 })
    expect(await client.tables.queryStats({ project_id, digest: nowhere })).toEqual({ count: 0 })
  })

  test('of several tables leave out unknown ones, and measure rows where it is requested', async () => {
    // {"t": "é", "n": 1.0} in the text of digests is {"n": 1.0, "t": "\u00e9"}.
    const { digest } = (await createText('[{"t":"é","n":1.0},{"t":"é","n":1.0},{}]')).body as { digest: string }
    const other = await create(n(4))
    const digests = [digest, nowhere, other.digest, digest]
    const batch = async (include_storage_size: boolean | null) =>
      (await client.tables.queryStatsBatch({ project_id, digests, include_storage_size })).tables.toSorted(
        (one, two) => two.count - one.count,
      )
    expect(await batch(true)).toEqual([
      { count: 3, digest, storage_size_bytes: 2 * '{"n": 1.0, "t": "\\u00e9"}'.length + 2 },
      { count: 1, digest: other.digest, storage_size_bytes: '{"n": 4}'.length },
    ])
    for (const asked of [false, null])
      expect((await batch(asked)).map(({ storage_size_bytes }) => storage_size_bytes)).toEqual([null, null])
  })

  test.each([{}, { digests: null }, { digests: [] }])('of no tables (%o) are none', async (given) => {
    expect(await post('queryStatsBatch', { project_id, ...given })).toMatchObject({ status: 200, body: { tables: [] } })
  })

  test('of more than 1000 tables are refused', async () => {
    const digests = Array.from({ length: 1_001 }, (_, index) => String(index))
    expect(await post('queryStatsBatch', { project_id, digests })).toMatchObject({ status: 400 })
  })
})
