import { sliceOfCases, sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { type ObjectApp, startObjectApp } from '../testing/start-object-app.ts'

describe.each(['sqlite', 'postgres'] as const)('tags and aliases on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  const isWhole = kind === 'sqlite'
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
  const addTags = (digest: string, tags: string[], object_id = 'thing') =>
    app.client.objects.addTags({ project_id, object_id, digest, tags })
  const removeTags = (digest: string, tags: string[], object_id = 'thing') =>
    app.client.objects.removeTags({ project_id, object_id, digest, tags })
  const setAliases = (digest: string, aliases: string[], object_id = 'thing') =>
    app.client.objects.setAliases({ project_id, object_id, digest, aliases })
  const removeAliases = (aliases: string[], object_id = 'thing') => app.client.objects.removeAliases({ project_id, object_id, aliases })
  const read = async (digest: string, object_id = 'thing') =>
    (await app.client.objects.read({ project_id, object_id, digest, include_tags_and_aliases: true })).obj
  const listTags = async () => (await app.client.objects.listTags({ project_id })).tags
  const listAliases = async () => (await app.client.objects.listAliases({ project_id })).aliases

  test('every change answers {}', async () => {
    const digest = await publish(0)
    expect(await addTags(digest, ['t'])).toEqual({})
    expect(await removeTags(digest, ['t'])).toEqual({})
    expect(await setAliases(digest, ['a'])).toEqual({})
    expect(await removeAliases(['a'])).toEqual({})
  })

  test('many versions can have one tag, and a version many tags', async () => {
    const [a, b] = [await publish(0), await publish(1)]
    await addTags(a, ['shared', 'own'])
    await addTags(b, ['shared'])
    expect((await read(a)).tags).toEqual(['own', 'shared'])
    expect((await read(b)).tags).toEqual(['shared'])
  })

  test('a tag that is there, or twice in the list, counts once; an empty list changes nothing', async () => {
    const digest = await publish(0)
    await addTags(digest, ['t', 't'])
    await addTags(digest, ['t', 'u'])
    await addTags(digest, [])
    expect((await read(digest)).tags).toEqual(['t', 'u'])
  })

  test('removing takes away the named tags of this version alone; unknown ones are ignored', async () => {
    const [a, b] = [await publish(0), await publish(1)]
    await addTags(a, ['t', 'u'])
    await addTags(b, ['t'])
    await removeTags(a, ['t', 'never', '//', '\0', ''])
    expect([(await read(a)).tags, (await read(b)).tags]).toEqual([['u'], ['t']])
    for (const [digest, object_id] of [
      ['A'.repeat(43), 'thing'],
      [a, 'nobody'],
      ['\0', 'no\0body'],
    ] as const)
      expect(await removeTags(digest, ['t'], object_id)).toEqual({})
    expect(await removeTags(a, [])).toEqual({})
  })

  test('an alias points to one version, and setting it again moves it', async () => {
    const [a, b] = [await publish(0), await publish(1)]
    await setAliases(a, ['prod', 'stable', 'prod'])
    expect((await read('prod')).digest).toBe(a)
    await setAliases(b, ['prod'])
    expect((await read('prod')).digest).toBe(b)
    expect((await read(a)).aliases).toEqual(['stable'])
    expect((await read(b)).aliases).toEqual(['latest', 'prod'])
  })

  test('an alias moves only within its name', async () => {
    const mine = await publish(0)
    const other = await publish(1, 'another')
    await setAliases(mine, ['prod'])
    await setAliases(other, ['prod'], 'another')
    expect([(await read('prod')).digest, (await read('prod', 'another')).digest]).toEqual([mine, other])
  })

  test('removing takes away the named aliases of this name alone; unknown ones are ignored', async () => {
    const digest = await publish(0)
    const other = await publish(1, 'another')
    await setAliases(digest, ['prod', 'stable'])
    await setAliases(other, ['prod'], 'another')
    await removeAliases(['prod', 'never'])
    expect((await read(digest)).aliases).toEqual(['latest', 'stable'])
    expect((await read('prod', 'another')).digest).toBe(other)
    await expect(read('prod')).rejects.toMatchObject({ status: 404 })
    expect(await removeAliases(['prod'], 'nobody')).toEqual({})
    expect(await removeAliases(['prod'], 'no\0body')).toEqual({})
    expect(await removeAliases([])).toEqual({})
  })

  test('labels change neither the digest nor the index nor what is latest', async () => {
    const [a] = [await publish(0), await publish(1)]
    const before = await read(a)
    await addTags(a, ['t'])
    await setAliases(a, ['prod'])
    expect(await read(a)).toEqual({ ...before, tags: ['t'], aliases: ['prod'] })
  })

  test('a text of the form of a digest is never read as an alias', async () => {
    const digest = await publish(0)
    const alias = 'B'.repeat(43)
    await setAliases(digest, [alias])
    await expect(read(alias)).rejects.toMatchObject({ status: 404 })
    expect((await read(digest)).aliases).toEqual(['latest', alias])
  })

  test.each(
    sliceOfCases(
      [
        ['letters, digits, underscore and dash', 'Version_2-rc1', 200],
        ['letters of any script', 'größe-日本', 200],
        ['words with one space between them', 'needs human review', 200],
        ['one character', 'x', 200],
        ['256 characters', 'x'.repeat(256), 200],
        ['256 characters beyond U+FFFF', '𝒜'.repeat(256), 200],
        ['257 characters', 'x'.repeat(257), 400],
        ['none', '', 400],
        ['two spaces', 'a  b', 400],
        ['a leading space', ' a', 400],
        ['a trailing space', 'a ', 400],
        ['a tab', 'a\tb', 400],
        ['a line break at the end', 'a\n', 400],
        ['a dot', 'a.b', 400],
        ['a slash', 'a/b', 400],
        ['a colon', 'a:b', 400],
        ['NUL', 'a\0', 400],
      ],
      { isWhole },
    ),
  )('tag name with %s', async (_, tag, status) => {
    const digest = await publish(0)
    const message = expect.stringMatching(status === 200 ? /^$/ : /^tag name "/)
    expect(await answerTo(addTags(digest, ['good', tag]))).toEqual({ status, message })
    expect(await listTags()).toEqual(status === 200 ? [tag, 'good'].sort() : [])
  })

  test.each(
    sliceOfCases(
      [
        ['any characters', 'Pród 1.0 (β)!', 200],
        ['latest in another case', 'Latest', 200],
        ['v with more than digits', 'v1.0', 200],
        ['v alone', 'v', 200],
        ['a capital V', 'V1', 200],
        ['128 characters', 'x'.repeat(128), 200],
        ['128 characters beyond U+FFFF', '𝒜'.repeat(128), 200],
        ['129 characters', 'x'.repeat(129), 400],
        ['none', '', 400],
        ['only spaces', '   ', 400],
        ['a slash', 'a/b', 400],
        ['a colon', 'a:b', 400],
        ['latest', 'latest', 400],
        ['v and a digit', 'v3', 400],
        ['v and digits', 'v007', 400],
        ['a control character', 'a\u0000b', 400],
      ],
      { isWhole },
    ),
  )('alias name with %s, on set and on remove', async (_, alias, status) => {
    const digest = await publish(0)
    const message = expect.stringMatching(status === 200 ? /^$/ : /^alias name "/)
    expect(await answerTo(setAliases(digest, ['good', alias]))).toEqual({ status, message })
    if (status === 200) expect((await read(alias)).digest).toBe(digest)
    expect(await listAliases()).toEqual(status === 200 ? ['latest', 'good', alias].sort() : ['latest'])
    expect(await answerTo(removeAliases([alias]))).toEqual({ status, message })
  })

  async function answerTo(work: Promise<unknown>): Promise<{ status: number; message: string }> {
    return work.then(
      () => ({ status: 200, message: '' }),
      (error: { status: number; message: string }) => ({ status: error.status, message: error.message }),
    )
  }

  test('the digest of a change is exact: no `latest`, index or alias', async () => {
    const digest = await publish(0)
    await setAliases(digest, ['prod'])
    for (const word of ['latest', 'v0', 'prod', digest.slice(0, 42), 'A'.repeat(43), '\0']) {
      expect([word, await app.statusOf(addTags(word, ['t']))]).toEqual([word, 404])
      expect([word, await app.statusOf(setAliases(word, ['a']))]).toEqual([word, 404])
    }
    expect(await listTags()).toEqual([])
  })

  test('an unknown or deleted version gets no labels', async () => {
    const digest = await publish(0)
    const other = await publish(1, 'another')
    expect(await app.statusOf(addTags(other, ['t']))).toBe(404)
    expect(await app.statusOf(setAliases(digest, ['a'], 'nobody'))).toBe(404)
    await publish(2)
    await app.client.objects.delete({ project_id, object_id: 'thing', digests: [digest] })
    expect(await app.statusOf(addTags(digest, ['t']))).toBe(404)
    expect(await app.statusOf(setAliases(digest, ['a']))).toBe(404)
    await app.client.objects.delete({ project_id, object_id: 'thing' })
    expect(await app.statusOf(addTags(digest, []))).toBe(404)
  })

  test('where a list holds a bad name nothing is changed', async () => {
    const digest = await publish(0)
    await setAliases(digest, ['prod'])
    expect(await app.statusOf(removeAliases(['prod', 'a/b']))).toBe(400)
    expect(await listAliases()).toEqual(['latest', 'prod'])
  })

  test('a list has at most 1000 names, a version 1000 tags, and a name 1000 aliases', async () => {
    const digest = await publish(0)
    const names = Array.from({ length: 1000 }, (_, n) => `n${n}`)
    expect(await app.statusOf(addTags(digest, [...names, 'more']))).toBe(400)
    expect(await app.statusOf(setAliases(digest, [...names, 'more']))).toBe(400)
    await addTags(digest, names)
    await setAliases(digest, names)
    expect(await app.statusOf(addTags(digest, ['more']))).toBe(400)
    expect(await app.statusOf(setAliases(digest, ['more']))).toBe(400)
    expect(await listTags()).toEqual(names.sort())
    await removeTags(digest, names)
    await removeAliases(names)
    expect([await listTags(), await listAliases()]).toEqual([[], ['latest']])
  })

  test('the lists are distinct and sorted by code point, over the project, with `latest` once there is an object', async () => {
    expect([await listTags(), await listAliases()]).toEqual([[], []])
    const [a, b] = [await publish(0), await publish(1)]
    const other = await publish(2, 'another')
    expect(await listAliases()).toEqual(['latest'])
    await addTags(a, ['zeta', 'Beta', 'ö'])
    await addTags(b, ['zeta', 'alpha'])
    await addTags(other, ['alpha', 'more'], 'another')
    await setAliases(a, ['\u{1f369}', 'prod', 'Stable'])
    await setAliases(other, ['prod', '\uff5e'], 'another')
    expect(await listTags()).toEqual(['Beta', 'alpha', 'more', 'zeta', 'ö'])
    expect(await listAliases()).toEqual(['Stable', 'latest', 'prod', '\uff5e', '\u{1f369}'])
  })

  test('the lists are those of one project', async () => {
    const digest = await publish(0)
    await addTags(digest, ['t'])
    await setAliases(digest, ['a'])
    const other = app.newProject()
    expect(await app.client.objects.listTags({ project_id: other })).toEqual({ tags: [] })
    expect(await app.client.objects.listAliases({ project_id: other })).toEqual({ aliases: [] })
    const same = await app.publish(other, 'thing', 0)
    expect(same).toBe(digest)
    const { obj } = await app.client.objects.read({ project_id: other, object_id: 'thing', digest, include_tags_and_aliases: true })
    expect(obj).toMatchObject({ tags: [], aliases: ['latest'] })
  })

  test('a version is named by its alias in references too', async () => {
    const inner = await publish({ n: 1 }, 'inner')
    await publish({ n: 2 }, 'inner')
    await setAliases(inner, ['prod'], 'inner')
    const { calls } = app.client
    const id = '0197a000-0000-7000-8000-000000000001'
    const times = { started_at: '2026-03-01T00:00:00Z', ended_at: '2026-03-01T00:00:01Z' }
    const inputs = { at: `weave:///${project_id}/object/inner:prod` }
    const [entity = '', project = ''] = project_id.split('/')
    const call = { project_id, id, trace_id: id, op_name: 'op', ...times, attributes: {}, inputs, summary: {} }
    await calls.complete({ entity, project, batch: [call] })
    const found = await calls.query({ project_id, expand_columns: ['inputs.at'] })
    expect(found.calls[0]?.inputs).toEqual({ at: { _ref: inputs.at, n: 1 } })
  })

  test('path parameters arrive decoded, and a missing field is named', async () => {
    const digest = await publish(0, 'größe.v1')
    const path = `/objs/${encodeURIComponent('größe.v1')}/versions/${digest}/tags`
    expect(await sendRaw(app, { method: 'PUT', path, body: { project_id, tags: ['t'] } })).toMatchObject({ status: 200, body: {} })
    expect(await listTags()).toEqual(['t'])
    expect(await sendRaw(app, { method: 'PUT', path, body: { project_id } })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'tags'] }] },
    })
    expect(await sendRaw(app, { method: 'GET', path: '/tags' })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'project_id'] }] },
    })
    expect((await sendRaw(app, { method: 'GET', path: '/aliases?project_id=nothing' })).status).toBe(400)
  })

  describe('at the same time', () => {
    test('fifty clients that set one alias to versions of their own leave it with one owner', async () => {
      const digests: string[] = []
      for (let n = 0; n < 10; n++) digests.push(await publish(n))
      const clients = [app.client, (await app.anotherServer()).client]
      const set = (turn: number) =>
        clients[turn % 2]?.objects.setAliases({
          project_id,
          object_id: 'thing',
          digest: digests[turn % 10] ?? '',
          aliases: ['prod', `a${turn}`],
        })
      await Promise.all(Array.from({ length: 50 }, (_, turn) => set(turn)))
      const { objs } = await app.client.objects.query({ project_id, include_tags_and_aliases: true })
      expect(objs.filter(({ aliases }) => aliases?.includes('prod')).map(({ digest }) => digest)).toEqual([(await read('prod')).digest])
      expect(objs.flatMap(({ aliases }) => aliases ?? [])).toHaveLength(52)
    })

    test('fifty clients that add the same and different tags leave each once', async () => {
      const digest = await publish(0)
      await Promise.all(Array.from({ length: 50 }, (_, turn) => addTags(digest, ['same', `t${turn % 10}`])))
      expect((await read(digest)).tags).toEqual(['same', ...Array.from({ length: 10 }, (_, n) => `t${n}`)])
    })

    test('fifty clients on two servers that publish the same and different values give each digest one version', async () => {
      const clients = [app.client, (await app.anotherServer()).client]
      const create = (turn: number) => clients[turn % 2]?.objects.create({ obj: { project_id, object_id: 'crowd', val: { n: turn % 7 } } })
      const answers = await Promise.all(Array.from({ length: 50 }, (_, turn) => create(turn)))
      const { objs } = await app.client.objects.query({ project_id })
      expect(objs.map(({ digest }) => digest).sort()).toEqual([...new Set(answers.map((answer) => answer?.digest ?? ''))].sort())
      expect(objs.map(({ version_index }) => version_index).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6])
      expect(objs.filter(({ is_latest }) => is_latest === 1)).toHaveLength(1)
      expect(new Set(objs.map(({ val }) => JSON.stringify(val))).size).toBe(7)
    })
  })

  sliceOfSuite({ isWhole })
})
