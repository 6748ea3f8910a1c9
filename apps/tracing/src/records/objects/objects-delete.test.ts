import { sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { aCall, findCalls, record } from '../../contract-tests/testing/call-builders.ts'
import { storeManyVersions } from './testing/many-versions.ts'
import { anInstance, anOp, type ObjectApp, startObjectApp } from './testing/start-object-app.ts'

describe.each(['sqlite', 'postgres'] as const)('deleting versions on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  if (kind === 'postgres' && postgresUrl === '') return
  let app: ObjectApp
  let project_id: string

  beforeAll(async () => {
    app = await startObjectApp(kind, postgresUrl)
  })
  afterAll(() => app.close())
  beforeEach(() => {
    project_id = app.newProject()
  })

  const publish = (val: unknown, object_id = 'thing') => app.publish(project_id, object_id, val)
  const remove = (digests?: string[] | null, object_id = 'thing') =>
    app.client.objects.delete({ project_id, object_id, digests: digests ?? null })
  const read = async (digest: string, object_id = 'thing') => (await app.client.objects.read({ project_id, object_id, digest })).obj
  const live = async () => (await app.client.objects.query({ project_id })).objs.map(({ version_index }) => version_index)

  test.each([
    ['null', null],
    ['an empty list', []],
  ])('without digests (%s) all live versions go', async (_, digests) => {
    const a = await publish('a')
    const b = await publish('b')
    expect(await remove(digests)).toEqual({
      num_deleted: 2,
      deleted_versions: [
        { digest: a, base_object_class: null, leaf_object_class: null },
        { digest: b, base_object_class: null, leaf_object_class: null },
      ],
    })
    expect(await live()).toEqual([])
  })

  test('all versions of a name go in one request, however many they are', async () => {
    const count = inject('long') ? 50_001 : 5_000
    const last = await publish('last')
    await app.client.objects.addTags({ project_id, object_id: 'thing', digest: last, tags: ['red'] })
    const numbered = await storeManyVersions(app.stores.database, { project_id, object_id: 'thing', count: count - 1 })
    const { num_deleted, deleted_versions } = await remove()
    expect(num_deleted).toBe(count)
    // The first ten thousand are named, and `last` was published after them.
    expect(deleted_versions.map(({ digest }) => digest)).toEqual(inject('long') ? numbered.slice(0, 10_000) : [last, ...numbered])
    expect(await live()).toEqual([])
    expect((await app.client.objects.listTags({ project_id })).tags).toEqual([])
  })

  test('of a shared name both kinds go', async () => {
    await publish(anOp(1))
    await publish(1)
    expect((await remove()).num_deleted).toBe(2)
  })

  test('an answer names the classes of what went', async () => {
    const digest = await publish(anInstance('accuracy', 'Scorer'))
    expect(await remove([digest])).toEqual({
      num_deleted: 1,
      deleted_versions: [{ digest, base_object_class: 'Scorer', leaf_object_class: 'accuracy' }],
    })
  })

  test('named versions go, and the others stay', async () => {
    const digests = [await publish(0), await publish(1), await publish(2), await publish(3)]
    expect((await remove([digests[2] ?? '', digests[0] ?? ''])).deleted_versions.map(({ digest }) => digest)).toEqual([
      digests[0],
      digests[2],
    ])
    expect(await live()).toEqual([1, 3])
  })

  test('`latest` and an index name a version, an alias does not', async () => {
    const [, one] = [await publish(0), await publish(1), await publish(2)]
    await app.client.objects.setAliases({ project_id, object_id: 'thing', digest: one, aliases: ['prod'] })
    await expect(remove(['prod'])).rejects.toMatchObject({ status: 404 })
    expect((await remove(['latest', 'v0'])).num_deleted).toBe(2)
    expect(await live()).toEqual([1])
  })

  test('a digest that is given twice counts once; two words for one version are one too many', async () => {
    const digest = await publish(0)
    await publish(1)
    await expect(remove(['v0', digest])).rejects.toMatchObject({ status: 404 })
    expect(await live()).toEqual([0, 1])
    expect((await remove([digest, digest])).num_deleted).toBe(1)
  })

  test('more than 100 digests are refused', async () => {
    await publish(0)
    await expect(remove(Array.from({ length: 101 }, (_, n) => `v${n}`))).rejects.toMatchObject({ status: 400 })
    // A few at a time: each waits for the object until those before it are stored, no longer than a request may.
    for (let at = 1; at < 100; at += 11) await Promise.all(Array.from({ length: 11 }, (_, n) => publish(at + n)))
    expect((await remove(Array.from({ length: 100 }, (_, n) => `v${n}`))).num_deleted).toBe(100)
  })

  test('where one of the digests is not there, nothing is deleted', async () => {
    const digest = await publish(0)
    await publish(1)
    const other = await publish(1, 'another')
    for (const wanted of ['v7', 'v-1', 'nothing', 'A'.repeat(43), '\0', digest.toLowerCase()])
      await expect(remove([digest, wanted]), wanted).rejects.toMatchObject({ status: 404 })
    await expect(remove([other, digest, 'v2'])).rejects.toMatchObject({ status: 404 })
    expect(await live()).toEqual([0, 1, 0])
  })

  test('where nothing live matches the answer is 404, also the second time', async () => {
    await expect(remove(null, 'nobody')).rejects.toMatchObject({ status: 404 })
    await expect(remove(null, 'no\0body')).rejects.toMatchObject({ status: 404 })
    const digest = await publish(0)
    await remove([digest])
    await expect(remove([digest])).rejects.toMatchObject({ status: 404 })
    await expect(remove()).rejects.toMatchObject({ status: 404, message: expect.stringContaining('no live version') })
    await expect(remove(['latest'])).rejects.toMatchObject({ status: 404 })
  })

  test('a deleted version is reported as deleted, by digest and by index, with the time', async () => {
    const digest = await publish(0)
    await publish(1)
    app.time.now += 1_500_000
    await remove([digest])
    const deleted_at = new Date(app.time.now / 1_000).toISOString().replace(/\.(\d{3})Z/, (_, ms: string) => `.${ms}000Z`)
    for (const name of [digest, 'v0']) {
      await expect(read(name)).rejects.toMatchObject({
        status: 404,
        message: `thing:v0 was deleted at ${deleted_at}`,
        extra: { deleted_at },
      })
    }
    await remove()
    await expect(read('latest')).rejects.toMatchObject({ status: 404, message: 'Obj thing:latest not found', extra: {} })
  })

  test('`latest` moves to the version published first most recently of those that stay', async () => {
    const [a, b, c] = [await publish('a'), await publish('b'), await publish('c')]
    await publish('a')
    expect((await read('latest')).digest).toBe(a)
    await remove(['latest'])
    expect(await read('latest')).toMatchObject({ digest: c, version_index: 2, is_latest: 1 })
    await remove([c])
    expect((await read('latest')).digest).toBe(b)
  })

  test('of versions of one moment the greater digest becomes `latest`', async () => {
    const { client } = app
    const create = async (val: unknown) => (await client.objects.create({ obj: { project_id, object_id: 'thing', val } })).digest
    const digests = [await create(0), await create(1), await create(2), await create(3)]
    await remove([await create(4)])
    expect((await read('latest')).digest).toBe(digests.toSorted((x, y) => Buffer.compare(Buffer.from(y), Buffer.from(x)))[0])
  })

  test('deleting another version than the latest leaves `latest` where it is', async () => {
    const a = await publish('a')
    const b = await publish('b')
    await publish('a')
    await remove([b])
    expect((await read('latest')).digest).toBe(a)
  })

  test('`latest` of a shared name goes over to the other kind', async () => {
    const op = await publish(anOp(1))
    const object = await publish(1)
    await remove([object])
    expect(await read('latest')).toMatchObject({ digest: op, kind: 'op' })
  })

  test('tags and aliases of a deleted version are gone, and do not come back with it', async () => {
    const [a, b] = [await publish('a'), await publish('b')]
    for (const digest of [a, b])
      await app.client.objects.addTags({ project_id, object_id: 'thing', digest, tags: ['both', digest.slice(0, 5)] })
    await app.client.objects.setAliases({ project_id, object_id: 'thing', digest: a, aliases: ['prod'] })
    await remove([a])
    expect(await app.client.objects.listTags({ project_id })).toEqual({ tags: ['both', b.slice(0, 5)].sort() })
    expect(await app.client.objects.listAliases({ project_id })).toEqual({ aliases: ['latest'] })
    await expect(read('prod')).rejects.toMatchObject({ status: 404 })
    await publish('a')
    const { obj } = await app.client.objects.read({ project_id, object_id: 'thing', digest: a, include_tags_and_aliases: true })
    expect(obj).toMatchObject({ tags: [], aliases: ['latest'] })
  })

  test('a deleted version comes back with its number, a fresh time and as latest; its fellows stay deleted', async () => {
    const [a, b] = [await publish('a'), await publish('b')]
    const before = (await read(a)).created_at
    await remove()
    expect(await publish('a')).toBe(a)
    const back = await read('latest')
    expect(back).toMatchObject({ digest: a, version_index: 0, is_latest: 1, deleted_at: null, val: 'a' })
    expect(back.created_at > before).toBe(true)
    await expect(read(b)).rejects.toMatchObject({ status: 404, extra: { deleted_at: expect.any(String) } })
    await publish('c')
    expect(await read('latest')).toMatchObject({ version_index: 2 })
  })

  test('a name whose versions are all deleted may take another class', async () => {
    await publish(anInstance('Model', 'Model'))
    await expect(publish('plain')).rejects.toMatchObject({ status: 400 })
    await remove()
    await publish('plain')
    expect(await read('latest')).toMatchObject({ version_index: 1, base_object_class: null })
    await expect(publish(anInstance('Model', 'Model'))).rejects.toMatchObject({ status: 400 })
  })

  test('nothing of another project or name is touched', async () => {
    const elsewhere = app.newProject()
    await app.publish(elsewhere, 'thing', 'same')
    await publish('same')
    await publish('same', 'thing2')
    await remove()
    expect((await app.client.objects.read({ project_id: elsewhere, object_id: 'thing', digest: 'latest' })).obj.val).toBe('same')
    expect((await read('latest', 'thing2')).val).toBe('same')
  })

  describe('calls that refer to it', () => {
    const condition = { $expr: { $eq: [{ $getField: 'inputs.model.text' }, { $literal: 'find me' }] } }
    const matching = async () =>
      (await findCalls(app.client, { project_id, query: condition as never, expand_columns: ['inputs.model'] })).map((call) => call.inputs)

    test('are not found through the reference, keep it as it is, and are found again when the version comes back', async () => {
      const val = { text: 'find me' }
      const ref = `weave:///${project_id}/object/thing:${await publish(val)}`
      const other = `weave:///${project_id}/object/other:${await publish(val, 'other')}`
      await record(app.client, aCall({ project_id, inputs: { model: ref } }), aCall({ project_id, inputs: { model: other } }))
      const expanded = (_ref: string) => ({ model: { _ref, ...val } })
      expect(await matching()).toHaveLength(2)
      await remove()
      expect(await matching()).toEqual([expanded(other)])
      const count = await app.client.calls.queryStats({ project_id, query: condition as never, expand_columns: ['inputs.model'] })
      expect(count).toMatchObject({ count: 1 })
      const sorted = await findCalls(app.client, {
        project_id,
        sort_by: [{ field: 'inputs.model.text', direction: 'asc' }],
        expand_columns: ['inputs.model'],
      })
      expect(sorted.map((call) => call.inputs)).toEqual([expanded(other), { model: ref }])
      await publish(val)
      expect(await matching()).toHaveLength(2)
    })
  })

  describe('at the same time', () => {
    test('of many deletes of one version one succeeds', async () => {
      const digest = await publish(0)
      await publish(1)
      const statuses = await Promise.all(Array.from({ length: 20 }, () => app.statusOf(remove([digest]))))
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === 404)).toHaveLength(19)
    })

    test('publishing, deleting and labelling leave exactly one latest among the living, and labels on living versions alone', async () => {
      const servers = [app, await app.anotherServer({ clock: () => app.time.now })]
      const clients = servers.map(({ client }) => client)
      const digests = await Promise.all([0, 1, 2, 3, 4].map((n) => publish(n)))
      const work = Array.from({ length: 60 }, (_, turn): Promise<unknown>[] => {
        const client = clients[turn % 2] ?? app.client
        const digest = digests[turn % 5] ?? ''
        if (turn % 3 === 0) return [client.objects.delete({ project_id, object_id: 'thing', digests: [digest] })]
        if (turn % 3 === 1) return [client.objects.create({ obj: { project_id, object_id: 'thing', val: turn % 5 } })]
        return [
          client.objects.addTags({ project_id, object_id: 'thing', digest, tags: [`tag${turn}`] }),
          client.objects.setAliases({ project_id, object_id: 'thing', digest, aliases: ['owner'] }),
        ]
      }).flat()
      const statuses = await Promise.all(work.map((each) => app.statusOf(each)))
      expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([])
      const { objs } = await app.client.objects.query({ project_id, include_tags_and_aliases: true })
      expect(objs.filter(({ is_latest }) => is_latest === 1)).toHaveLength(objs.length === 0 ? 0 : 1)
      const { tags } = await app.client.objects.listTags({ project_id })
      expect(objs.flatMap((obj) => obj.tags ?? []).sort()).toEqual(tags)
      const { aliases } = await app.client.objects.listAliases({ project_id })
      expect([...new Set(objs.flatMap((obj) => obj.aliases ?? []))].sort()).toEqual(aliases)
      expect(objs.filter((obj) => obj.aliases?.includes('owner')).length).toBeLessThanOrEqual(1)
    })
  })

  sliceOfSuite({ isWhole: kind === 'sqlite' })
})
