import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { aCall, findCalls, newId, record } from '../../../contract-tests/testing/call-builders.ts'
import { startTestApp, type TestApp, type TestClient } from '../../../testing/start-test-app.ts'
import { storeManyVersions } from '../testing/many-versions.ts'
import { anInstance } from '../testing/start-object-app.ts'

const patience = { timeout: 120_000, interval: 50 }
const object_id = 'thing'
/** More than a request removes, and than one step of the job. */
const many = 1_501

describe.each(['sqlite', 'postgres'] as const)('deleting an object with many versions on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  if (kind === 'postgres' && postgresUrl === '') return
  let app: TestApp
  beforeAll(async () => {
    // A server that starts continues what others left, so these stores are of this test alone.
    app = await startTestApp(kind === 'postgres' ? { postgresUrl } : { own: {} })
  })
  afterAll(() => app.close())

  /** A server that serves requests and runs no jobs: what is deleted stays where it was. */
  async function idleServer(): Promise<TestClient> {
    const idle = await app.anotherServer({ jobQueue: `idle-${newId()}` })
    await idle.service.close()
    return idle.client
  }

  const text = 'find me'
  const condition = { $expr: { $eq: [{ $getField: 'inputs.model.text' }, { $literal: text }] } }

  /** An object with many versions, the last one with a tag, an alias and a call that refers to it. */
  async function anObject() {
    const project_id = app.newProject()
    await storeManyVersions(app.stores.database, { project_id, object_id, count: many - 1 })
    const { digest } = await app.client.objects.create({ obj: { project_id, object_id, val: { text } } })
    await app.client.objects.create({ obj: { project_id, object_id: 'other', val: 1 } })
    await app.client.objects.addTags({ project_id, object_id, digest, tags: ['red'] })
    await app.client.objects.setAliases({ project_id, object_id, digest, aliases: ['prod'] })
    const ref = `weave:///${project_id}/object/${object_id}:${digest}`
    await record(app.client, aCall({ project_id, inputs: { model: ref } }))
    return { project_id, digest, ref }
  }

  /** What each way to read the project finds of the object. */
  async function found(client: TestClient, { project_id, digest, ref }: { project_id: string; digest: string; ref: string }) {
    const status = (work: Promise<unknown>) => work.then(() => 200).catch((error: { status: number }) => error.status)
    const read = (by: string) => client.objects.read({ project_id, object_id, digest: by })
    const [objects, latest, byDigest, byIndex, byAlias, tags, aliases, refs, calls] = await Promise.all([
      // Most versions were stored without a value.
      client.objects.query({ project_id, metadata_only: true }),
      status(read('latest')),
      status(read(digest)),
      status(read(`v${many}`)),
      status(read('prod')),
      client.objects.listTags({ project_id }),
      client.objects.listAliases({ project_id }),
      client.refs.readBatch({ refs: [ref] }),
      findCalls(client, { project_id, query: condition as never, expand_columns: ['inputs.model'] }),
    ])
    const names = objects.objs.map((one) => `${one.object_id}:v${one.version_index}`)
    return { names, latest, byDigest, byIndex, byAlias, tags: tags.tags, aliases: aliases.aliases, vals: refs.vals, calls: calls.length }
  }
  const gone = {
    names: ['other:v0'],
    latest: 404,
    byDigest: 404,
    byIndex: 404,
    byAlias: 404,
    tags: [],
    aliases: ['latest'],
    vals: [null],
    calls: 0,
  }

  const deletionOf = async (client: TestClient, project_id: string) => (await client.projects.queryDeletions({ project_id })).deletions[0]
  const bytesOf = async (client: TestClient, project_id: string) => (await client.projects.stats({ project_id })).objects_storage_size_bytes

  test(
    'hides all of them from every read while they are stored, then removes them, and shows how far it is',
    { timeout: 300_000 },
    async () => {
      const object = await anObject()
      const { project_id, digest } = object
      const idle = await idleServer()
      expect(await found(idle, object)).toMatchObject({ latest: 200, byDigest: 200, byIndex: 200, byAlias: 200, tags: ['red'], calls: 1 })
      const answer = await idle.objects.delete({ project_id, object_id })
      expect(answer.num_deleted).toBe(many)
      expect(answer.deleted_versions).toHaveLength(many)
      expect(await deletionOf(idle, project_id)).toMatchObject({ kind: 'object_versions', total: many })
      expect(await found(idle, object)).toEqual(gone)
      expect(await bytesOf(idle, project_id)).toBe(1)
      await expect(idle.objects.read({ project_id, object_id, digest })).rejects.toMatchObject({
        extra: { deleted_at: expect.any(String) },
      })
      for (const again of [null, [digest], ['v7'], ['latest']])
        await expect(idle.objects.delete({ project_id, object_id, digests: again })).rejects.toMatchObject({ status: 404 })
      await expect(idle.objects.addTags({ project_id, object_id, digest, tags: ['late'] })).rejects.toMatchObject({ status: 404 })
      if (kind === 'sqlite') expect(await deletionOf(idle, project_id)).toMatchObject({ removed: 0, ended_at: null })

      const worker = await app.anotherServer()
      await expect.poll(async () => (await deletionOf(worker.client, project_id))?.ended_at, patience).not.toBeNull()
      expect(await found(worker.client, object)).toEqual(gone)
      expect(await deletionOf(worker.client, project_id)).toMatchObject({ total: many, removed: many })
      const rows = app.stores.database.selectFrom('object_versions').where('project_id', '=', project_id).where('object_id', '=', object_id)
      expect(await rows.where('deleted_at', 'is', null).select('digest').execute()).toEqual([])
      const tags = app.stores.database.selectFrom('object_tags').where('project_id', '=', project_id)
      expect(await tags.select('tag').execute()).toEqual([])
      await worker.service.close()
    },
  )

  test(
    'keeps what is published under the name meanwhile: a new version, of another class, and one that comes back',
    { timeout: 300_000 },
    async () => {
      const object = await anObject()
      const { project_id, digest } = object
      const idle = await idleServer()
      await idle.objects.delete({ project_id, object_id })
      const create = async (val: unknown) => (await idle.objects.create({ obj: { project_id, object_id, val } })).digest
      const model = await create(anInstance('Model', 'Model'))
      expect((await idle.objects.read({ project_id, object_id, digest: 'latest' })).obj).toMatchObject({
        digest: model,
        version_index: many + 1,
      })
      // A live version now has another class.
      await expect(create({ text })).rejects.toMatchObject({ status: 400 })
      await idle.objects.delete({ project_id, object_id, digests: [model] })
      expect(await create({ text })).toBe(digest)
      const expected = {
        names: ['other:v0', `thing:v${many}`],
        latest: 200,
        byDigest: 200,
        byIndex: 200,
        tags: [],
        aliases: ['latest'],
        vals: [{ text }],
        calls: 1,
      }
      const sorted = async (client: TestClient) => {
        const { names, ...rest } = await found(client, object)
        return { names: names.toSorted(), ...rest }
      }
      expect(await sorted(idle)).toMatchObject(expected)
      await idle.objects.addTags({ project_id, object_id, digest, tags: ['new'] })

      const worker = await app.anotherServer()
      await expect.poll(async () => (await deletionOf(worker.client, project_id))?.ended_at, patience).not.toBeNull()
      expect(await sorted(worker.client)).toMatchObject({ ...expected, tags: ['new'] })
      expect(await deletionOf(worker.client, project_id)).toMatchObject({ total: many, removed: many - 1 })
      await worker.service.close()
    },
  )
})

test(
  'more than 100 unfinished deletions of objects of a project are refused, and nothing of the refused one is deleted',
  { timeout: 300_000 },
  async () => {
    const app = await startTestApp({ own: {} })
    const idle = await app.anotherServer({ jobQueue: `idle-${newId()}` })
    await idle.service.close()
    const project_id = app.newProject()
    await idle.client.objects.create({ obj: { project_id, object_id: 'first', val: 1 } })
    await storeManyVersions(app.stores.database, { project_id, object_id: 'first', count: 1_001 })
    await idle.client.objects.delete({ project_id, object_id: 'first' })
    const [deletion] = await app.stores.database.selectFrom('deletions').selectAll().where('project_id', '=', project_id).execute()
    const others = Array.from({ length: 99 }, (_, at) => ({ ...deletion!, id: newId(), object_id: `other-${at}` }))
    await app.stores.database.insertInto('deletions').values(others).execute()
    await idle.client.objects.create({ obj: { project_id, object_id: 'last', val: 1 } })
    await storeManyVersions(app.stores.database, { project_id, object_id: 'last', count: 1_001 })
    await expect(idle.client.objects.delete({ project_id, object_id: 'last' })).rejects.toMatchObject({ status: 429 })
    const { objs } = await idle.client.objects.query({ project_id, filter: { latest_only: true } as never, metadata_only: true })
    expect(objs.map((one) => one.object_id)).toEqual(['last'])
    await app.close()
  },
)
