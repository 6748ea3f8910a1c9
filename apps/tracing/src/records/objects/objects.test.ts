import type { ObjectVersion } from '@heddle/core-api/types'
import { JsonText } from '@heddle/core-api/internal'
import { parseJson, stringifyJson } from '@heddle/json'
import { sliceOfCases, sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import vectors from '../../vectors/digest-vectors.json' with { type: 'json' }
import { type Objects, startObjects } from './testing/start-objects.ts'

const second = 1_000_000

describe.each(['sqlite', 'postgres'] as const)('objects on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  const isWhole = kind === 'sqlite'
  if (kind === 'postgres' && postgresUrl === '') return
  let app: Objects
  let project_id: string

  beforeAll(async () => {
    app = await startObjects(kind, postgresUrl)
    project_id = app.newProjectId()
  })
  afterAll(() => app.close())

  type Draft = Parameters<Objects['handlers']['create']>[0]['obj']
  const draft = (given: Partial<Draft>): Draft => ({
    project_id,
    object_id: 'thing',
    val: {},
    builtin_object_class: null,
    set_base_object_class: null,
    expected_digest: null,
    wb_user_id: null,
    ...given,
  })
  const create = async (given: Partial<Draft>, context = app.context('write')) => {
    const answer = await app.handlers.create({ obj: draft(given) }, context)
    return answer as { digest: string; object_id: string | null }
  }
  const read = async (
    object_id: string,
    digest: string,
    options: { metadata_only?: boolean; labels?: boolean; project_id?: string } = {},
  ) => {
    const { metadata_only = false, labels = false } = options
    const input = { project_id: options.project_id ?? project_id, object_id, digest, metadata_only, include_tags_and_aliases: labels }
    const { obj } = (await app.handlers.read(input, app.context('read'))) as { obj: ObjectVersion }
    return obj
  }
  const jsonOf = (obj: ObjectVersion) => stringifyJson(obj.val)
  const place = ({ version_index, is_latest }: ObjectVersion) => ({ version_index, is_latest })
  /** Marks versions as deleted, as the delete operation does, without moving the pointer. */
  const markDeleted = (object_id: string, digest: string, at: number) =>
    app.database
      .updateTable('object_versions')
      .set({ deleted_at: at })
      .where('object_id', '=', object_id)
      .where('digest', '=', digest)
      .execute()

  test('a published value is read back with its record', async () => {
    const { digest, object_id } = await create({ object_id: 'first', val: parseJson('{"b":1.0,"a":[12345678901234567890,"é"]}') })
    const obj = await read('first', digest, { labels: true })
    expect(object_id).toBe('first')
    expect(jsonOf(obj)).toBe('{"b":1.0,"a":[12345678901234567890,"é"]}')
    expect(obj).toEqual({
      project_id,
      object_id: 'first',
      created_at: '2023-11-14T22:13:20Z',
      deleted_at: null,
      digest,
      version_index: 0,
      is_latest: 1,
      kind: 'object',
      base_object_class: null,
      leaf_object_class: null,
      val: expect.any(JsonText),
      wb_user_id: 'ada',
      size_bytes: null,
      tags: [],
      aliases: ['latest'],
    })
  })

  test('metadata alone comes without the value, and labels only when requested', async () => {
    const { digest } = await create({ object_id: 'meta', val: [1] })
    expect(await read('meta', digest, { metadata_only: true })).toMatchObject({ val: {}, tags: null, aliases: null })
  })

  test.each(sliceOfCases(['"text"', '[]', '1', '1.50', 'true', 'null', '{"__proto__":{"a":1}}'], { isWhole }))(
    'any JSON is a value: %s',
    async (json) => {
      const { digest } = await create({ object_id: 'any', val: parseJson(json) })
      expect(jsonOf(await read('any', digest))).toBe(json)
    },
  )

  const recorded = vectors.vectors.filter(({ kind: kindOf, name }) => kindOf === 'object' && !name.startsWith('NaN'))
  // References to projects of the recording have digests of their own; they are tested with the rule.
  const withoutRefs = recorded.filter(({ json }) => !json?.includes('weave'))
  test.each(sliceOfCases(withoutRefs, { isWhole }))(
    'digest as recorded: $name',
    async ({ json, digest, builtin_object_class, base_object_class, leaf_object_class }) => {
      const object_id = digest.slice(0, 20)
      const val = parseJson(json ?? '', { loneSurrogates: 'keep' })
      const answer = await create({ object_id, val, builtin_object_class: builtin_object_class ?? null })
      expect(answer.digest).toBe(digest)
      expect(await read(object_id, digest, { metadata_only: true })).toMatchObject({ base_object_class, leaf_object_class })
    },
  )

  test('publishing A, B and A again leaves two versions with A as the latest', async () => {
    const a = await create({ object_id: 'aba', val: 'A' })
    const b = await create({ object_id: 'aba', val: 'B' })
    expect(await create({ object_id: 'aba', val: 'A' })).toEqual(a)
    expect(place(await read('aba', 'latest'))).toEqual({ version_index: 0, is_latest: 1 })
    expect(place(await read('aba', b.digest))).toEqual({ version_index: 1, is_latest: 0 })
    expect((await read('aba', 'v1')).digest).toBe(b.digest)
    expect((await read('aba', 'v0')).digest).toBe(a.digest)
  })

  test('publishing a live version again keeps its first time', async () => {
    const { digest } = await create({ object_id: 'again', val: 1 })
    app.time.now += second
    await create({ object_id: 'again', val: 2 })
    await create({ object_id: 'again', val: 1 })
    expect((await read('again', digest)).created_at < (await read('again', 'v1')).created_at).toBe(true)
  })

  test('a deleted version is gone with the time of its end, and comes back with its number and a fresh time', async () => {
    const { digest } = await create({ object_id: 'gone', val: 1 })
    await create({ object_id: 'gone', val: 2 })
    await markDeleted('gone', digest, 1_700_000_001_500_000)
    const refusal = {
      status: 404,
      message: 'gone:v0 was deleted at 2023-11-14T22:13:21.500000Z',
      extra: { deleted_at: '2023-11-14T22:13:21.500000Z' },
    }
    await expect(read('gone', digest)).rejects.toMatchObject(refusal)
    await expect(read('gone', 'v0')).rejects.toMatchObject(refusal)
    app.time.now += 10 * second
    await create({ object_id: 'gone', val: 1 })
    const back = await read('gone', 'latest')
    expect(back).toMatchObject({ digest, version_index: 0, deleted_at: null })
    expect(back.created_at > (await read('gone', 'v1')).created_at).toBe(true)
  })

  test('deleted versions keep their number', async () => {
    const { digest } = await create({ object_id: 'numbers', val: 0 })
    await markDeleted('numbers', digest, app.time.now)
    await create({ object_id: 'numbers', val: 1 })
    expect(await read('numbers', 'latest')).toMatchObject({ version_index: 1 })
  })

  test('an op and an object may share a name: versions are counted apart, the latest is the last published', async () => {
    const op = await create({ object_id: 'shared', val: { _type: 'CustomWeaveType', weave_type: { type: 'Op' } } })
    const object = await create({ object_id: 'shared', val: 1 })
    expect(await read('shared', 'latest')).toMatchObject({ kind: 'object', digest: object.digest, version_index: 0 })
    expect(await read('shared', 'v0')).toMatchObject({ kind: 'object' })
    expect(await read('shared', op.digest)).toMatchObject({ kind: 'op', is_latest: 0, version_index: 0 })
  })

  test('one class for a name: another one is refused until the live versions are gone', async () => {
    const model = { _bases: ['Object', 'BaseModel'], _class_name: 'Model', n: 1 }
    const { digest } = await create({ object_id: 'classy', val: model })
    await expect(create({ object_id: 'classy', val: { n: 1 } })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(
        "Cannot publish 'classy' as a value without a class: that name is already used by an instance of 'Model'",
      ),
    })
    expect(await read('classy', 'latest')).toMatchObject({ digest })
    expect((await create({ object_id: 'classy', val: model })).digest).toBe(digest)
    await create({ object_id: 'classy', val: { ...model, _bases: ['Model', 'Object', 'BaseModel'], _class_name: 'Mine' } })
    await markDeleted('classy', digest, app.time.now)
    await expect(create({ object_id: 'classy', val: 1 })).rejects.toMatchObject({ status: 400 })
    await app.database.updateTable('object_versions').set({ deleted_at: app.time.now }).where('object_id', '=', 'classy').execute()
    await create({ object_id: 'classy', val: { n: 1 } })
    await expect(create({ object_id: 'classy', val: model })).rejects.toMatchObject({ status: 400 })
  })

  test('an unexpected digest is refused and nothing is stored', async () => {
    const { digest } = await create({ object_id: 'twin', val: 'same' })
    await expect(create({ object_id: 'expected', val: 'same', expected_digest: 'other' })).rejects.toMatchObject({
      status: 409,
      message: `Client obj 'expected' digest other != server digest ${digest}`,
    })
    await expect(read('expected', digest)).rejects.toMatchObject({ status: 404, message: `Obj expected:${digest} not found` })
    await create({ object_id: 'expected', val: 'same', expected_digest: digest })
  })

  test('the old name of the built-in class counts when the new one is absent', async () => {
    const val = { name: 'm', provider: 'p', max_tokens: 1 }
    await create({ object_id: 'built', val, set_base_object_class: 'ProviderModel' })
    expect(await read('built', 'latest')).toMatchObject({ base_object_class: 'ProviderModel' })
  })

  test.each([
    ['latest', 'unheard-of'],
    ['v0', 'unheard-of'],
    ['v9', 'thing'],
    ['v-1', 'thing'],
    ['v99999999999999999999', 'thing'],
    ['no-such-alias', 'thing'],
  ])('%s of %s is not found', async (digest, object_id) => {
    await create({ val: 1 })
    await expect(read(object_id, digest)).rejects.toMatchObject({ status: 404, message: `Obj ${object_id}:${digest} not found` })
  })

  test.each(
    sliceOfCases(
      [
        ['a b', 422],
        ['', 422],
        ['x'.repeat(129), 400],
      ],
      { isWhole },
    ),
  )('the name %j is refused with %d and a reason, without a list of findings', async (object_id, status) => {
    const refusal = { status, message: expect.stringContaining(`object name "${object_id}"`) as string, issues: undefined }
    await expect(create({ object_id })).rejects.toMatchObject(refusal)
  })

  test('an object is seen in its own project alone, and an unknown project is empty', async () => {
    const { digest } = await create({ object_id: 'mine', val: 'mine' })
    const other = app.newProjectId()
    await expect(read('mine', digest, { project_id: other })).rejects.toMatchObject({ status: 404 })
    await create({ project_id: other, object_id: 'theirs', val: 'mine' })
    await expect(read('mine', digest, { project_id: other })).rejects.toMatchObject({ status: 404 })
  })

  describe('references', () => {
    test('a value with references is hashed over internal ids and read back in external form', async () => {
      const internal = (await app.open(project_id)).internalId
      const ref = `weave:///${project_id}/object/thing:v0`
      const external = await create({ object_id: 'ref', val: { r: ref } })
      const sent = await create({ object_id: 'ref', val: { r: `weave-trace-internal:///${internal}/object/thing:v0` } })
      expect(sent.digest).toBe(external.digest)
      expect(jsonOf(await read('ref', 'latest'))).toBe(`{"r":"${ref}"}`)
    })

    test('a reference creates the project that it names', async () => {
      const other = app.newProjectId()
      await create({ object_id: 'other-project', val: [`weave:///${other}/call/7`] })
      const named = (await app.open(other)).internalId
      const again = await create({ object_id: 'other-project', val: [`weave-trace-internal:///${named}/call/7`] })
      expect(jsonOf(await read('other-project', again.digest))).toBe(`["weave:///${other}/call/7"]`)
    })

    test('a project that the caller may not see is refused in references, whether it exists or not', async () => {
      const limited = app.context('write', await app.caller({ name: 'bob', role: 'writer', projects: [{ project_id, role: 'writer' }] }))
      const existing = app.newProjectId()
      const { internalId } = await app.open(existing)
      for (const other of [existing, app.newProjectId()]) {
        await expect(create({ val: `weave:///${other}/call/7` }, limited)).rejects.toMatchObject({ status: 403, message: 'Forbidden' })
      }
      const internal = create({ val: `weave-trace-internal:///${internalId}/call/7` }, limited)
      await expect(internal).rejects.toMatchObject({ status: 400, message: 'Encountered unexpected internal ref format.' })
    })

    test('a writer may name a project in which it may only read', async () => {
      const library = app.newProjectId()
      await app.open(library)
      const projects = [
        { project_id, role: 'writer' },
        { project_id: library, role: 'reader' },
      ] as const
      const limited = await app.caller({ name: 'bob', role: 'writer', projects })
      const { digest } = await create({ object_id: 'reader', val: `weave:///${library}/call/7` }, app.context('write', limited))
      expect(digest).toHaveLength(43)
    })

    test('a reader does not see which project a reference names that it may not read', async () => {
      const other = app.newProjectId()
      const { digest } = await create({ object_id: 'private', val: { r: `weave:///${other}/object/x:1/attr/a`, n: 1.5 } })
      const limited = await app.caller({ name: 'bob', role: 'reader', projects: [{ project_id, role: 'reader' }] })
      const input = { project_id, object_id: 'private', digest, metadata_only: false, include_tags_and_aliases: false }
      const answer = (await app.handlers.read(input, app.context('read', limited))) as { obj: ObjectVersion }
      expect(jsonOf(answer.obj)).toBe('{"r":"weave-private://///object/x:1/attr/a","n":1.5}')
    })

    sliceOfSuite({ isWhole })
  })

  describe('writers at the same time', () => {
    test('fifty of different contents give versions without gaps or duplicates', async () => {
      const contents = Array.from({ length: 50 }, (_, index) => index)
      await Promise.all(contents.map((val) => create({ object_id: 'crowd', val })))
      const versions = await Promise.all(contents.map((index) => read('crowd', `v${index}`)))
      expect(new Set(versions.map(({ digest }) => digest)).size).toBe(50)
      expect(versions.filter(({ is_latest }) => is_latest === 1)).toHaveLength(1)
      await expect(read('crowd', 'v50')).rejects.toMatchObject({ status: 404 })
    })

    test('fifty of one content give one version', async () => {
      const digests = await Promise.all(Array.from({ length: 50 }, () => create({ object_id: 'same', val: 'same' })))
      expect(new Set(digests.map(({ digest }) => digest)).size).toBe(1)
      expect(await read('same', 'latest')).toMatchObject({ version_index: 0 })
      await expect(read('same', 'v1')).rejects.toMatchObject({ status: 404 })
    })

    test('of two classes for one new name only one is taken', async () => {
      const of = (name: string, n: number) => ({ _bases: ['Object', 'BaseModel'], _class_name: name, n })
      const attempts = Array.from({ length: 20 }, (_, n) => create({ object_id: 'contested', val: of(n % 2 === 0 ? 'A' : 'B', n) }))
      const results = await Promise.allSettled(attempts)
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    })

    test('batches that share names in different orders all end', async () => {
      const project = await app.open(project_id)
      const names = Array.from({ length: 20 }, (_, index) => `batch-${index}`)
      const versions = (digest: string) =>
        names.map((object_id) => ({
          object_id,
          digest,
          kind: 'object' as const,
          base_object_class: null,
          leaf_object_class: null,
          wb_user_id: 'ada',
          key_id: null,
          size_bytes: 1,
          at: app.time.now,
        }))
      const batches = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? versions(`d${n}`) : versions(`d${n}`).reverse()))
      const published = await Promise.all(batches.map((batch) => app.objects.publish(project, batch)))
      const indexes = published.flat().map((one) => (one.status === 'published' ? one.version_index : -1))
      expect(indexes.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => Math.floor(n / 20)))
    })
  })

  test('many versions are found at once, in the wanted order', async () => {
    const project = await app.open(project_id)
    const { digest } = await create({ object_id: 'many', val: 'many' })
    await create({ object_id: 'many', val: 'more' })
    const wanted = [
      { object_id: 'many', argument: { by: 'index' as const, version_index: 1 } },
      { object_id: 'nobody', argument: { by: 'latest' as const } },
      { object_id: 'many', argument: { by: 'digest' as const, digest } },
      ...Array.from({ length: 600 }, () => ({ object_id: 'many', argument: { by: 'latest' as const } })),
    ]
    const found = await app.objects.findVersions(project, wanted)
    expect(found.slice(0, 4).map((version) => version?.version_index)).toEqual([1, undefined, 0, 1])
    expect(found).toHaveLength(603)
  })

  sliceOfSuite({ isWhole })
})
