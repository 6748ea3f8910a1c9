import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { sliceOfCases, sliceOfSuite, trials } from '@heddle/testing'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { anOp, type ObjectApp, startObjectApp } from '../../records/objects/testing/start-object-app.ts'

describe.each(['sqlite', 'postgres'] as const)('linking to a registry on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  const isWhole = kind === 'sqlite'
  if (kind === 'postgres' && postgresUrl === '') return
  let app: ObjectApp
  let source: string
  let registry: string

  beforeAll(async () => {
    app = await startObjectApp(kind, postgresUrl)
  })
  afterAll(() => app.close())
  beforeEach(() => {
    source = app.newProject()
    registry = app.newProject()
  })

  const target = (portfolio_name = 'models', at = registry) => {
    const [entity_name = '', project_name = ''] = at.split('/')
    return { portfolio_name, entity_name, project_name }
  }
  const publish = async (val: unknown, object_id = 'thing') =>
    `weave:///${source}/object/${object_id}:${await app.publish(source, object_id, val)}`
  const link = (ref: string, aliases: string[] = [], to = target(), client = app.client) =>
    client.registry.link({ ref, target: to, aliases })
  const indexOf = async (...given: Parameters<typeof link>) => (await link(...given)).version_index
  const linksOf = async (digest: string, client = app.client, object_id = 'thing') =>
    (await client.objects.read({ project_id: source, object_id, digest, include_tags_and_aliases: true })).obj.registry_links

  test('versions of a collection are numbered from 0, whatever object they are of', async () => {
    expect(await indexOf(await publish(0))).toBe(0)
    expect(await indexOf(await publish(1))).toBe(1)
    expect(await indexOf(await publish(0, 'another'))).toBe(2)
    expect(await indexOf(await publish(anOp(1), 'run'))).toBe(3)
  })

  test('numbers are counted by registry project and collection', async () => {
    const ref = await publish(0)
    await link(await publish(1))
    expect(await indexOf(ref, [], target('prompts'))).toBe(0)
    expect(await indexOf(ref, [], target('models', app.newProject()))).toBe(0)
    expect(await indexOf(ref)).toBe(1)
  })

  test('the answer is the link: who, when, where, and the version by its digest', async () => {
    const ref = await publish(0)
    expect(await link(ref.replace(/[^:]*$/, 'latest'), ['prod', 'best', 'prod'])).toEqual({
      version_index: 0,
      ref,
      project_id: registry,
      portfolio_name: 'models',
      aliases: ['best', 'prod'],
      wb_user_id: 'tester',
      created_at: expect.stringMatching(/^2023-11-14T22:\d\d:\d\dZ$/),
    })
  })

  test('linking a version again keeps its number, who and when, and replaces its aliases', async () => {
    const ref = await publish(0)
    const first = await link(ref, ['prod', 'old'])
    await link(await publish(1))
    const bob = await app.clientFor({ name: 'bob', role: 'writer' })
    expect(await link(ref, ['prod', 'new'], target(), bob)).toEqual({ ...first, aliases: ['new', 'prod'] })
    expect(await linksOf('v0')).toMatchObject([{ version_index: 0, aliases: ['new', 'prod'] }])
    await link(ref)
    expect(await linksOf('v0')).toMatchObject([{ aliases: [] }])
  })

  test('every name of a version counts as the same reference', async () => {
    const ref = await publish(0)
    await publish(1)
    const digest = ref.split(':').at(-1) ?? ''
    await app.client.objects.setAliases({ project_id: source, object_id: 'thing', digest, aliases: ['stable'] })
    const { internal_project_id } = (await app.client.service.projectsInfo({ project_ids: [source] }))[0] as { internal_project_id: string }
    const internal = `weave-trace-internal:///${internal_project_id}/object/thing:${digest}`
    for (const same of [ref, ref.replace(digest, 'v0'), ref.replace(digest, 'stable'), internal, `${ref}/`]) {
      expect(await link(same)).toMatchObject({ version_index: 0, ref })
    }
  })

  test('an alias points to one number of a collection', async () => {
    const [a, b] = [await publish(0), await publish(1)]
    await link(a, ['prod'])
    await link(b, ['prod', 'next'])
    await link(a, ['mine'], target('prompts'))
    await link(b, ['mine'], target('prompts'))
    expect(await linksOf('v0')).toMatchObject([
      { portfolio_name: 'models', version_index: 0, aliases: [] },
      { portfolio_name: 'prompts', version_index: 0, aliases: [] },
    ])
    expect(await linksOf('v1')).toMatchObject([
      { portfolio_name: 'models', version_index: 1, aliases: ['next', 'prod'] },
      { portfolio_name: 'prompts', version_index: 1, aliases: ['mine'] },
    ])
  })

  test('objects tell their links together with tags and aliases', async () => {
    const ref = await publish(0)
    const { ref: _, ...made } = await link(ref, ['prod'])
    await publish(1)
    const ask = (include_tags_and_aliases: boolean) => app.client.objects.query({ project_id: source, include_tags_and_aliases })
    expect((await ask(true)).objs.map((obj) => obj.registry_links)).toEqual([[made], undefined])
    expect((await ask(false)).objs.map((obj) => obj.registry_links)).toEqual([undefined, undefined])
  })

  test('a link outlives the deletion of its version, and is listed again when the version comes back', async () => {
    const ref = await publish(0)
    const { ref: _, ...made } = await link(ref, ['prod'])
    await app.client.objects.delete({ project_id: source, object_id: 'thing' })
    await expect(link(ref)).rejects.toMatchObject({ status: 404 })
    await publish(0)
    expect(await linksOf('latest')).toEqual([made])
  })

  test.each(
    sliceOfCases(
      [
        ['an empty ref', { ref: '' }, ['body', 'ref']],
        ['no ref', { ref: undefined }, ['body', 'ref']],
        ['no target', { target: undefined }, ['body', 'target']],
        ['an empty portfolio', { target: { ...target('', 'e/p') } }, ['body', 'target', 'portfolio_name']],
        ['an empty entity', { target: { portfolio_name: 'p', entity_name: '', project_name: 'p' } }, ['body', 'target', 'entity_name']],
        ['no project', { target: { portfolio_name: 'p', entity_name: 'e' } }, ['body', 'target', 'project_name']],
        ['aliases that are not a list', { aliases: 'prod' }, ['body', 'aliases']],
      ],
      { isWhole },
    ),
  )('422: %s', async (_, change, loc) => {
    const body = { ref: 'weave:///e/p/object/x:1', target: { portfolio_name: 'p', entity_name: 'e', project_name: 'p' }, ...change }
    const answer = await sendRaw(app, { path: '/link_to_registry', body: JSON.stringify(body) })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc }] } })
  })

  test.each(
    sliceOfCases(
      [
        ['a text', 'thing:latest'],
        ['a call', 'weave:///e/p/call/7'],
        ['a table', `weave:///e/p/table/${'a'.repeat(64)}`],
        ['a part of an object', `weave:///e/p/object/x:${'A'.repeat(43)}/attr/a`],
        ['an unknown kind', 'weave:///e/p/agent_span/7'],
        ['no version', 'weave:///e/p/object/x'],
        ['another store', 'wandb-artifact:///e/p/id'],
        ['an internal project that is not there', 'weave-trace-internal:///nothing/object/x:1'],
      ],
      { isWhole },
    ),
  )('400: %s is not a reference to an object version', async (_, ref) => {
    await expect(link(ref)).rejects.toMatchObject({ status: 400 })
  })

  test('400: names that a collection or an alias cannot have', async () => {
    const ref = await publish(0)
    for (const name of ['x'.repeat(129), 'a\0b'])
      await expect(link(ref, [], target(name))).rejects.toMatchObject({ status: 400, message: expect.stringContaining('portfolio_name') })
    for (const alias of ['', 'a/b', 'latest', 'v1']) await expect(link(ref, [alias])).rejects.toMatchObject({ status: 400 })
    await expect(link(ref, [], { portfolio_name: 'p', entity_name: 'a/b', project_name: 'c' })).rejects.toMatchObject({ status: 400 })
    expect(await indexOf(await publish(1))).toBe(0)
  })

  test('404: no such object, version or project', async () => {
    const ref = await publish(0)
    for (const unknown of [
      ref.replace('thing', 'nobody'),
      ref.replace(/[^:]*$/, 'v7'),
      ref.replace(/[^:]*$/, 'A'.repeat(43)),
      `weave:///${app.newProject()}/object/thing:latest`,
    ])
      await expect(link(unknown)).rejects.toMatchObject({ status: 404 })
  })

  describe('rights', () => {
    const limitedTo = (projects: [string, 'reader' | 'writer' | 'ingest' | 'admin'][]) =>
      app.clientFor({ name: 'bob', role: 'writer', projects: projects.map(([project_id, role]) => ({ project_id, role })) })

    test.each([
      ['reads the source and writes the registry', 'reader', 'writer', 200],
      ['writes both', 'writer', 'writer', 200],
      ['only reads the registry', 'writer', 'reader', 403],
      ['only sends to the source', 'ingest', 'writer', 403],
      ['only sends to the registry', 'reader', 'ingest', 200],
    ] as const)('a key that %s', async (_, inSource, inRegistry, status) => {
      const ref = await publish(0)
      const client = await limitedTo([
        [source, inSource],
        [registry, inRegistry],
      ])
      expect(await app.statusOf(link(ref, [], target(), client))).toBe(status)
    })

    test('a key without the source or the registry is refused, whether the version exists or not', async () => {
      const ref = await publish(0)
      const onlyRegistry = await limitedTo([[registry, 'admin']])
      const onlySource = await limitedTo([[source, 'admin']])
      for (const some of [ref, ref.replace('thing', 'nobody'), `weave:///${app.newProject()}/object/thing:latest`]) {
        expect(await app.statusOf(link(some, [], target(), onlyRegistry))).toBe(403)
        expect(await app.statusOf(link(some, [], target(), onlySource))).toBe(403)
      }
      expect(await linksOf('latest')).toBeUndefined()
    })

    test('a link into a project that the reader may not see is left out', async () => {
      const ref = await publish(0)
      const open = app.newProject()
      await link(ref, ['prod'])
      await link(ref, ['prod'], target('models', open))
      const client = await limitedTo([
        [source, 'reader'],
        [open, 'reader'],
      ])
      expect((await linksOf('latest'))?.length).toBe(2)
      expect((await linksOf('latest', client))?.map(({ project_id }) => project_id)).toEqual([open])
    })
  })

  test('many clients on two servers number a collection without gaps or duplicates, and leave an alias with one owner', async () => {
    const refs: string[] = []
    for (let n = 0; n < 10; n++) refs.push(await publish(n))
    const clients = [app.client, (await app.anotherServer()).client]
    const linked = await Promise.all(
      Array.from({ length: trials({ usual: 20, long: 50 }) }, (_, turn) =>
        link(refs[turn % 10] ?? '', ['prod'], target(), clients[turn % 2]),
      ),
    )
    expect([...new Set(linked.map(({ version_index, ref }) => `${ref} ${version_index}`))]).toHaveLength(10)
    expect([...new Set(linked.map(({ version_index }) => version_index))].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    const { objs } = await app.client.objects.query({ project_id: source, include_tags_and_aliases: true })
    expect(objs.filter((obj) => obj.registry_links?.[0]?.aliases.includes('prod'))).toHaveLength(1)
  })

  sliceOfSuite({ isWhole })
})
