import type { SortBy } from '@heddle/core-api'
import type { ObjectVersionFilter } from '@heddle/core-api/types'
import { sliceOfCases, sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { anInstance, anOp, type ObjectApp, startObjectApp } from './testing/start-object-app.ts'

type Query = Parameters<ObjectApp['client']['objects']['query']>[0]

describe.each(['sqlite', 'postgres'] as const)('finding versions on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  const isWhole = kind === 'sqlite'
  if (kind === 'postgres' && postgresUrl === '') return
  let app: ObjectApp
  let project_id: string

  beforeAll(async () => {
    app = await startObjectApp(kind, postgresUrl)
    project_id = app.newProject()
    await app.publish(project_id, 'beta', 'b0')
    await app.publish(project_id, 'alpha', anInstance('Dataset', 'Dataset', { n: 0 }))
    await app.publish(project_id, 'beta', 'b1')
    await app.publish(project_id, 'Zed', anInstance('accuracy', 'Scorer'))
    await app.publish(project_id, 'run', anOp(0))
    const tagged = await app.publish(project_id, 'beta', 'b2')
    await app.client.objects.addTags({ project_id, object_id: 'beta', digest: tagged, tags: ['red', 'blue'] })
    const first = (await found({ filter: { object_ids: ['alpha'] } }))[0]?.digest ?? ''
    await app.client.objects.addTags({ project_id, object_id: 'alpha', digest: first, tags: ['red'] })
    await app.client.objects.setAliases({ project_id, object_id: 'alpha', digest: first, aliases: ['prod'] })
    await app.publish(project_id, 'beta', 'b1')
  })
  afterAll(() => app.close())

  const found = async (query: Partial<Query> = {}) => (await app.client.objects.query({ project_id, ...query })).objs
  const named = async (query: Partial<Query> = {}) =>
    (await found(query)).map(({ object_id, version_index }) => `${object_id} v${version_index}`)
  const filtered = (filter: Partial<ObjectVersionFilter>) => named({ filter })
  const all = ['beta v0', 'alpha v0', 'beta v1', 'Zed v0', 'run v0', 'beta v2']

  test('without a filter all live versions come, by creation', async () => {
    expect(await named()).toEqual(all)
    expect(await named({ filter: null, sort_by: null, limit: null, offset: null })).toEqual(all)
    expect(await named({ filter: {}, sort_by: [] })).toEqual(all)
  })

  test('a record says what the version is, with its value', async () => {
    expect((await found({ filter: { object_ids: ['Zed'] } }))[0]).toEqual({
      project_id,
      object_id: 'Zed',
      created_at: '2023-11-14T22:13:24Z',
      deleted_at: null,
      digest: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
      version_index: 0,
      is_latest: 1,
      kind: 'object',
      base_object_class: 'Scorer',
      leaf_object_class: 'accuracy',
      val: anInstance('accuracy', 'Scorer'),
      wb_user_id: 'tester',
      size_bytes: null,
      tags: null,
      aliases: null,
    })
  })

  test.each<[string, Partial<ObjectVersionFilter>, string[]]>([
    ['object_ids: membership', { object_ids: ['alpha', 'Zed', 'nobody'] }, ['alpha v0', 'Zed v0']],
    ['object_ids: names are case-sensitive', { object_ids: ['ALPHA', 'zed'] }, []],
    ['object_ids: an empty list is not given', { object_ids: [] }, all],
    ['object_ids: null is not given', { object_ids: null }, all],
    ['object_ids: NUL names nothing', { object_ids: ['\0'] }, []],
    ['base_object_classes', { base_object_classes: ['Scorer', 'Dataset'] }, ['alpha v0', 'Zed v0']],
    ['base_object_classes: empty', { base_object_classes: [] }, all],
    [
      'exclude_base_object_classes keeps versions without a class',
      { exclude_base_object_classes: ['Scorer'] },
      all.filter((one) => one !== 'Zed v0'),
    ],
    ['exclude_base_object_classes: NUL excludes nothing', { exclude_base_object_classes: ['\0'] }, all],
    ['leaf_object_classes', { leaf_object_classes: ['accuracy'] }, ['Zed v0']],
    ['leaf_object_classes: the base is not a leaf', { leaf_object_classes: ['Scorer'] }, []],
    ['is_op: true only ops', { is_op: true }, ['run v0']],
    ['is_op: false only objects', { is_op: false }, all.filter((one) => one !== 'run v0')],
    ['is_op: null both', { is_op: null }, all],
    ['latest_only: true only the latest of each name', { latest_only: true }, ['alpha v0', 'beta v1', 'Zed v0', 'run v0']],
    ['latest_only: false has no effect', { latest_only: false }, all],
    ['tags: any of them', { tags: ['blue', 'green'] }, ['beta v2']],
    ['tags: of several versions', { tags: ['red'] }, ['alpha v0', 'beta v2']],
    ['tags: empty', { tags: [] }, all],
    ['tags: NUL', { tags: ['\0'] }, []],
    ['aliases', { aliases: ['prod'] }, ['alpha v0']],
    ['aliases: latest', { aliases: ['latest'] }, ['alpha v0', 'beta v1', 'Zed v0', 'run v0']],
    ['aliases: any of them', { aliases: ['prod', 'latest'], object_ids: ['alpha', 'beta'] }, ['alpha v0', 'beta v1']],
    ['aliases: NUL', { aliases: ['\0'] }, []],
    ['all parts must hold', { object_ids: ['beta'], tags: ['red'], latest_only: true }, []],
  ])('%s', async (_, filter, expected) => {
    expect(await filtered(filter)).toEqual(expected)
  })

  test('an unknown key of the filter is refused', async () => {
    const answer = await sendRaw(app, { path: '/objs/query', body: { project_id, filter: { object_id: ['beta'] } } })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'filter', 'object_id'] }] } })
  })

  test('a list of more than 1000 entries is refused', async () => {
    const filter = { leaf_object_classes: Array.from({ length: 1001 }, String) }
    await expect(found({ filter })).rejects.toMatchObject({
      status: 400,
      message: "Parameter: 'leaf_object_classes' request length is greater than max length (1000). Actual length: 1001.",
    })
    expect(await filtered({ object_ids: Array.from({ length: 1000 }, (_, n) => (n === 999 ? 'Zed' : `x${n}`)) })).toEqual(['Zed v0'])
  })

  test.each<[string, SortBy[], string[]]>([
    ['created_at, newest first', [{ field: 'created_at', direction: 'desc' }], all.toReversed()],
    ['object_id, by bytes', [{ field: 'object_id', direction: 'asc' }], ['Zed v0', 'alpha v0', 'beta v0', 'beta v1', 'beta v2', 'run v0']],
    [
      'object_id and then created_at',
      [
        { field: 'object_id', direction: 'desc' },
        { field: 'created_at', direction: 'desc' },
      ],
      ['run v0', 'beta v2', 'beta v1', 'beta v0', 'alpha v0', 'Zed v0'],
    ],
    ['a field that does not sort is ignored', [{ field: 'digest', direction: 'desc' }], all],
    [
      'also between others',
      [
        { field: 'kind', direction: 'asc' },
        { field: 'created_at', direction: 'desc' },
        { field: 'created_at', direction: 'asc' },
      ],
      all.toReversed(),
    ],
  ])('sorted by %s', async (_, sort_by, expected) => {
    expect(await named({ sort_by })).toEqual(expected)
  })

  test('versions of one moment come by index, and the other way round when the newest come first', async () => {
    const own = app.newProject()
    const { client } = app
    for (const val of [0, 1, 2]) await client.objects.create({ obj: { project_id: own, object_id: 'same', val } })
    const indexes = async (direction: 'asc' | 'desc') =>
      (await client.objects.query({ project_id: own, sort_by: [{ field: 'created_at', direction }] })).objs.map((obj) => obj.version_index)
    expect([await indexes('asc'), await indexes('desc')]).toEqual([
      [0, 1, 2],
      [2, 1, 0],
    ])
  })

  test.each(
    sliceOfCases(
      [
        [[{ field: 'created_at', direction: 'up' }]],
        [[{ field: 'created_at', direction: 'asc', nulls: 'last' }]],
        [[{ direction: 'asc' }]],
      ],
      { isWhole },
    ),
  )('an order of another form is refused: %j', async (sort_by) => {
    expect((await sendRaw(app, { path: '/objs/query', body: { project_id, sort_by } })).status).toBe(422)
  })

  test('limit and offset cut pages that do not overlap', async () => {
    expect(await named({ limit: 2 })).toEqual(all.slice(0, 2))
    expect(await named({ limit: 3, offset: 2 })).toEqual(all.slice(2, 5))
    expect(await named({ offset: 4 })).toEqual(all.slice(4))
    expect(await named({ offset: Number.MAX_SAFE_INTEGER })).toEqual([])
    expect(await named({ limit: Number.MAX_SAFE_INTEGER })).toEqual(all)
  })

  test('limit 0 answers none, and a negative limit or offset is refused', async () => {
    expect(await named({ limit: 0 })).toEqual([])
    for (const query of [{ limit: -1 }, { offset: -1 }])
      await expect(found(query)).rejects.toMatchObject({ status: 400, message: expect.stringContaining('must be at least 0, got -1') })
  })

  test('metadata alone comes with empty values', async () => {
    const objs = await found({ metadata_only: true })
    expect(objs.map(({ val }) => val)).toEqual(all.map(() => ({})))
  })

  test('the storage size is the bytes of the stored JSON, also without the values', async () => {
    const own = app.newProject()
    await app.publish(own, 'sized', { text: 'ü🙂' })
    const query = { project_id: own, include_storage_size: true, metadata_only: true }
    expect((await app.client.objects.query(query)).objs[0]?.size_bytes).toBe(Buffer.byteLength('{"text":"ü🙂"}'))
  })

  test('tags come sorted, and aliases with `latest` first', async () => {
    const objs = await found({ include_tags_and_aliases: true, filter: { object_ids: ['alpha', 'beta'] } })
    expect(objs.map(({ object_id, version_index, tags, aliases }) => [object_id, version_index, tags, aliases])).toEqual([
      ['beta', 0, [], []],
      ['alpha', 0, ['red'], ['latest', 'prod']],
      ['beta', 1, [], ['latest']],
      ['beta', 2, ['blue', 'red'], []],
    ])
    expect(objs[0]).not.toHaveProperty('registry_links')
  })

  test('deleted versions never appear, with no filter', async () => {
    const own = app.newProject()
    const digest = await app.publish(own, 'going', 1)
    await app.client.objects.addTags({ project_id: own, object_id: 'going', digest, tags: ['t'] })
    await app.client.objects.setAliases({ project_id: own, object_id: 'going', digest, aliases: ['a'] })
    await app.client.objects.delete({ project_id: own, object_id: 'going' })
    for (const filter of [
      null,
      { object_ids: ['going'] },
      { tags: ['t'] },
      { aliases: ['a'] },
      { aliases: ['latest'] },
      { latest_only: true },
    ])
      expect((await app.client.objects.query({ project_id: own, filter })).objs).toEqual([])
  })

  test('an unknown project is empty, and another one holds its own', async () => {
    expect((await app.client.objects.query({ project_id: app.newProject() })).objs).toEqual([])
    const own = app.newProject()
    await app.publish(own, 'beta', 'mine')
    expect((await app.client.objects.query({ project_id: own })).objs).toMatchObject([{ object_id: 'beta', val: 'mine', version_index: 0 }])
  })

  test('values keep their numbers, and hide what the reader may not see', async () => {
    const own = app.newProject()
    const other = app.newProject()
    const obj = `{"project_id":"${own}","object_id":"n","val":{"a":1.0,"b":12345678901234567890,"r":"weave:///${other}/object/x:1"}}`
    await sendRaw(app, { path: '/obj/create', body: `{"obj":${obj}}` })
    const asked = { path: '/objs/query', body: { project_id: own } }
    expect((await sendRaw(app, asked)).text).toContain(`"val":{"a":1.0,"b":12345678901234567890,"r":"weave:///${other}/object/x:1"}`)
    const { secret } = await app.identity.createKey({ name: 'bob', role: 'reader', projects: [{ project_id: own, role: 'reader' }] })
    expect((await sendRaw(app, { ...asked, apiKey: secret })).text).toContain('"r":"weave-private://///object/x:1"')
  })

  describe('more versions than one step reads', () => {
    const count = 4_500
    let own: string
    const indexes = async (query: Partial<Query>) =>
      (await app.client.objects.query({ project_id: own, metadata_only: true, ...query })).objs.map(({ version_index }) => version_index)
    const expected = Array.from({ length: count }, (_, n) => n)

    beforeAll(async () => {
      own = app.newProject()
      await app.publish(own, 'seed', 0)
      // Straight into the tables: publishing them one by one takes a minute. A few share each moment and each name.
      const row = (n: number) => ({
        project_id: own,
        object_id: `o${n % 7}`,
        kind: 'object',
        digest: `${n}`.padStart(43, 'A'),
        version_index: n,
        base_object_class: null,
        leaf_object_class: null,
        wb_user_id: null,
        size_bytes: 1,
        created_at: 1_800_000_000_000_000 + Math.floor(n / 3),
        deleted_at: null,
      })
      for (let at = 0; at < count; at += 500)
        await app.stores.database
          .insertInto('object_versions')
          .values(expected.slice(at, at + 500).map(row))
          .execute()
    })

    test('come each once and in order', async () => {
      const filter = { object_ids: Array.from({ length: 7 }, (_, n) => `o${n}`) }
      expect(await indexes({ filter })).toEqual(expected)
      expect(await indexes({ filter, sort_by: [{ field: 'created_at', direction: 'desc' }] })).toEqual(expected.toReversed())
      const byName = await indexes({ filter, sort_by: [{ field: 'object_id', direction: 'desc' }] })
      expect(byName).toEqual(expected.toSorted((a, b) => (b % 7) - (a % 7) || a - b))
    })

    test('are cut by limit and offset', async () => {
      const filter = { object_ids: Array.from({ length: 7 }, (_, n) => `o${n}`) }
      expect(await indexes({ filter, offset: 1_000, limit: 3_000 })).toEqual(expected.slice(1_000, 4_000))
      expect(await indexes({ filter, offset: 500, limit: 2_000 })).toEqual(expected.slice(500, 2_500))
    })

    test('of which none has a value in the store are a failure of the store', async () => {
      await expect(app.client.objects.query({ project_id: own, filter: { object_ids: ['o1'] }, limit: 3 })).rejects.toMatchObject({
        status: 502,
      })
    })
  })

  test('more versions than one statement reads come with their values, each once', async () => {
    const own = app.newProject()
    const create = (object_id: string, val: number) => app.client.objects.create({ obj: { project_id: own, object_id, val } })
    for (let n = 0; n < 120; n += 20) await Promise.all(Array.from({ length: 20 }, (_, at) => create(`o${at}`, n + at)))
    const { objs } = await app.client.objects.query({ project_id: own })
    expect(objs.map(({ val }) => val).sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 120 }, (_, n) => n))
    expect(objs.filter(({ is_latest }) => is_latest === 1)).toHaveLength(20)
  })

  sliceOfSuite({ isWhole })
})
