import { sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type ObjectApp, startObjectApp } from '../testing/start-object-app.ts'

describe.each(['sqlite', 'postgres'] as const)('the history of aliases on %s', (kind) => {
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

  const object_id = 'thing'
  const publish = (val: unknown) => app.publish(project_id, object_id, val)
  const setAliases = (digest: string, aliases: string[]) => app.client.objects.setAliases({ project_id, object_id, digest, aliases })
  const history = (more: { alias?: string; limit?: number; offset?: number } = {}) =>
    app.client.objects.aliasHistory({ project_id, object_id, ...more })
  const told = async () => (await history()).moves.map(({ alias, from_digest, to_digest }) => ({ alias, from: from_digest, to: to_digest }))

  test('names the user, the time and both versions of each move, the newest first', async () => {
    const [a, b] = [await publish(0), await publish(1)]
    const { wb_user_id } = (await app.client.objects.read({ project_id, object_id, digest: a })).obj
    app.time.now = 1_800_000_000_000_000
    await setAliases(a, ['production'])
    app.time.now += 1_000_001
    await setAliases(b, ['production'])
    await app.client.objects.removeAliases({ project_id, object_id, aliases: ['production', 'never'] })
    const later = '2027-01-15T08:00:01.000001Z'
    const move = { alias: 'production', wb_user_id }
    expect(await history()).toEqual({
      moves: [
        { ...move, from_digest: b, to_digest: null, moved_at: later },
        { ...move, from_digest: a, to_digest: b, moved_at: later },
        { ...move, from_digest: null, to_digest: a, moved_at: '2027-01-15T08:00:00Z' },
      ],
      has_more: false,
    })
  })

  test('an alias that is set where it stands has not moved', async () => {
    const digest = await publish(0)
    await setAliases(digest, ['a', 'a'])
    await setAliases(digest, ['a', 'b'])
    expect(await told()).toEqual(['b', 'a'].map((alias) => ({ alias, from: null, to: digest })))
  })

  test('a deleted version takes its aliases along, and the history stays when the whole object is deleted', async () => {
    const [a, b] = [await publish(0), await publish(1)]
    await setAliases(a, ['old'])
    await setAliases(b, ['new'])
    await app.client.objects.delete({ project_id, object_id, digests: [a] })
    expect((await told())[0]).toEqual({ alias: 'old', from: a, to: null })
    await app.client.objects.delete({ project_id, object_id })
    expect((await told()).slice(0, 2)).toEqual([
      { alias: 'new', from: b, to: null },
      { alias: 'old', from: a, to: null },
    ])
    await publish(1)
    await setAliases(b, ['new'])
    expect((await told())[0]).toEqual({ alias: 'new', from: null, to: b })
  })

  test('a change that is refused leaves no trace in the history', async () => {
    const digest = await publish(0)
    await setAliases(
      digest,
      Array.from({ length: 1000 }, (_, n) => `n${n}`),
    )
    expect(await app.statusOf(setAliases(digest, ['more']))).toBe(400)
    expect(await history({ alias: 'more' })).toEqual({ moves: [], has_more: false })
  })

  test('is read by pages, and of one alias', async () => {
    const digest = await publish(0)
    await setAliases(digest, ['a', 'b', 'c'])
    const names = async (more: object) => {
      const { moves, has_more } = await history(more)
      return [...moves.map(({ alias }) => alias), has_more]
    }
    expect(await names({ limit: 2 })).toEqual(['c', 'b', true])
    expect(await names({ limit: 2, offset: 2 })).toEqual(['a', false])
    expect(await names({ alias: 'b' })).toEqual(['b', false])
    expect(await names({ alias: 'no\0alias' })).toEqual([false])
    for (const wrong of [{ limit: 0 }, { limit: 101 }, { offset: -1 }]) expect(await app.statusOf(history(wrong))).toBe(422)
  })

  test('is that of one object of one project', async () => {
    await setAliases(await publish(0), ['a'])
    const of = async (place: { project_id: string; object_id: string }) => (await app.client.objects.aliasHistory(place)).moves
    expect(await of({ project_id, object_id: 'another' })).toEqual([])
    expect(await of({ project_id, object_id: 'no\0body' })).toEqual([])
    const other = app.newProject()
    await app.publish(other, object_id, 0)
    expect(await of({ project_id: other, object_id })).toEqual([])
  })

  async function insertMoves(count: number, aliasOf: (n: number) => string) {
    const move = { project_id, object_id, from_digest: 'before', to_digest: 'after', wb_user_id: 'tester', created_at: 0 }
    const rows = Array.from({ length: count }, (_, n) => ({ ...move, number: n + 1, alias: aliasOf(n) }))
    for (let at = 0; at < count; at += 2500)
      await app.stores.database
        .insertInto('object_alias_moves')
        .values(rows.slice(at, at + 2500))
        .execute()
  }

  test('keeps the newest 100 moves of each alias, whatever others do', async () => {
    const digest = await publish(0)
    await insertMoves(101, (n) => (n === 0 ? 'quiet' : 'busy'))
    await setAliases(digest, ['busy'])
    const { moves, has_more } = await history({ alias: 'busy', limit: 100 })
    expect([moves.length, has_more, moves[0]?.to_digest]).toEqual([100, false, digest])
    expect((await history({ alias: 'quiet' })).moves).toHaveLength(1)
  })

  test('keeps the newest 10,000 moves of an object', async () => {
    const digest = await publish(0)
    await insertMoves(10_000, (n) => `a${n}`)
    await setAliases(digest, ['new'])
    expect(await Promise.all(['a0', 'a1', 'new'].map(async (alias) => (await history({ alias })).moves.length))).toEqual([0, 1, 1])
  })

  test('clients that move one alias at the same time leave a chain of moves without a gap', async () => {
    const digests: string[] = []
    for (let n = 0; n < 5; n++) digests.push(await publish(n))
    const clients = [app.client, (await app.anotherServer()).client]
    const set = (turn: number) =>
      clients[turn % 2]?.objects.setAliases({ project_id, object_id, digest: digests[turn % 5] ?? '', aliases: ['production'] })
    await Promise.all(Array.from({ length: 20 }, (_, turn) => set(turn)))
    const moves = (await told()).reverse()
    expect(moves.map(({ from }) => from)).toEqual([null, ...moves.slice(0, -1).map(({ to }) => to)])
    const { obj } = await app.client.objects.read({ project_id, object_id, digest: 'production' })
    expect(moves.at(-1)?.to).toBe(obj.digest)
  })

  sliceOfSuite({ isWhole: kind === 'sqlite' })
})
