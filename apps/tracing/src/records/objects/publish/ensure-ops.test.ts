import type { ProjectScope } from '@heddle/identity'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { placeholderOp, placeholderOpDigest, placeholderSource, placeholderSourceDigest } from '../../../otlp/op-object.ts'
import { type Objects, startObjects } from '../testing/start-objects.ts'

describe.each(['sqlite', 'postgres'] as const)('ops on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  if (kind === 'postgres' && postgresUrl === '') return
  let app: Objects
  let project: ProjectScope

  beforeAll(async () => {
    app = await startObjects(kind, postgresUrl)
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    project = await app.open(app.newProjectId())
  })

  const latest = async (object_id: string) => (await app.objects.findVersions(project, [{ object_id, argument: { by: 'latest' } }]))[0]
  const publish = async (object_id: string, val: unknown) => {
    const draft = { object_id, val, builtin_object_class: null, expected_digest: null, wb_user_id: 'ada' }
    return app.publisher.publish(project, draft, app.refProjects(project, app.context('write')))
  }
  const anOp = (n: number) => ({ _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files: {}, n })

  test('an op that is not there is created with a placeholder', async () => {
    expect(await app.ensureOps(project, ['chat'], 'bob')).toEqual(new Map([['chat', placeholderOpDigest]]))
    expect(await latest('chat')).toMatchObject({ kind: 'op', version_index: 0, wb_user_id: 'bob', digest: placeholderOpDigest })
    expect(JSON.parse((await app.values.read(project, [placeholderOpDigest])).get(placeholderOpDigest) ?? '')).toEqual(placeholderOp)
    const file = await app.files.find(project, placeholderSourceDigest)
    expect(Buffer.concat((await (await file?.open())?.toArray()) ?? []).toString()).toBe(placeholderSource)
  })

  test('an op that is there keeps its latest version', async () => {
    await publish('known', anOp(1))
    const { digest } = await publish('known', anOp(2))
    await publish('other', anOp(1))
    const digests = await app.ensureOps(project, ['known', 'new', 'known'], 'bob')
    expect(digests).toEqual(
      new Map([
        ['known', digest],
        ['new', placeholderOpDigest],
      ]),
    )
    expect(await latest('known')).toMatchObject({ digest, version_index: 1 })
  })

  test('an object that took the name hides the op from nobody', async () => {
    await publish('both', anOp(1))
    const { digest } = await publish('both', anOp(2))
    await publish('both', { plain: true })
    expect((await app.ensureOps(project, ['both'], 'bob')).get('both')).toBe(digest)
  })

  test('a newer version is seen within seconds', async () => {
    await app.ensureOps(project, ['fresh'], 'bob')
    const { digest } = await publish('fresh', anOp(7))
    app.time.now += 6_000_000
    expect((await app.ensureOps(project, ['fresh'], 'bob')).get('fresh')).toBe(digest)
  })

  test('servers that meet a new op at the same time create it once', async () => {
    const names = Array.from({ length: 150 }, (_, n) => `op-${n}`)
    const servers = Array.from({ length: 6 }, () => app.freshEnsureOps())
    const answers = await Promise.all(servers.map((ensureOps) => ensureOps(project, names, 'bob')))
    for (const answer of answers) expect(new Set(answer.values())).toEqual(new Set([placeholderOpDigest]))
    const versions = await app.database.selectFrom('object_versions').select('version_index').where('project_id', '=', project.id).execute()
    expect(versions.map(({ version_index }) => version_index)).toEqual(names.map(() => 0))
  })

  test('a name that no op can have is refused', async () => {
    await expect(app.ensureOps(project, ['a/b'], 'bob')).rejects.toMatchObject({ status: 422 })
  })
})
