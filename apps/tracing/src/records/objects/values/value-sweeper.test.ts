import type { ProjectScope } from '@heddle/identity'
import { sliceOfSuite, trials } from '@heddle/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { startTestStores } from '@heddle/datastore/testing'
import { type Objects, startObjects } from '../testing/start-objects.ts'
import { startValueSweeper } from './value-sweeper.ts'

const hour = 3_600_000_000
const day = 24 * hour

describe.each(['sqlite', 'postgres'] as const)('values that no version names, on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  if (kind === 'postgres' && postgresUrl === '') return
  let app: Objects
  let project: ProjectScope
  let sweeper: ReturnType<typeof startValueSweeper>

  beforeAll(async () => {
    app = await startObjects(kind, postgresUrl, startTestStores())
    const { objects, values, time } = app
    sweeper = startValueSweeper({ objects, values, clock: () => time.now, onError: (error) => expect.unreachable(String(error)) })
  })
  afterAll(async () => {
    await sweeper.close()
    await app.close()
  })
  beforeEach(async () => {
    project = await app.open(app.newProjectId())
  })

  const publish = async (object_id: string, val: unknown) => {
    const draft = { object_id, val, builtin_object_class: null, expected_digest: null, wb_user_id: 'ada' }
    return (await app.publisher.publish(project, draft, app.refProjects(project, app.context('write')))).digest
  }
  const remove = (object_id: string) => app.deletion.delete(project, { object_id, wanted: [], at: app.time.now, wb_user_id: 'someone' })
  const isStored = async (digest: string) => (await app.storedValues.read(project, [digest])).has(digest)
  const later = (micros: number) => {
    app.time.now += micros
  }

  test('go a day after the version was deleted', async () => {
    const digest = await publish('gone', { n: 1 })
    const kept = await publish('kept', { n: 2 })
    later(3 * day)
    await remove('gone')
    later(day - hour)
    await sweeper.sweep()
    expect(await isStored(digest)).toBe(true)
    later(2 * hour)
    expect(await sweeper.sweep()).toMatchObject({ deleted: 1 })
    expect([await isStored(digest), await isStored(kept)]).toEqual([false, true])
    expect(await sweeper.sweep()).toMatchObject({ deleted: 0 })
  })

  test('stay while another name, of any kind, has the same content', async () => {
    const digest = await publish('one', { shared: true })
    await publish('other', { shared: true })
    await remove('one')
    later(2 * day)
    await sweeper.sweep()
    expect(await isStored(digest)).toBe(true)
    await remove('other')
    later(2 * day)
    await sweeper.sweep()
    expect(await isStored(digest)).toBe(false)
  })

  test('of one project go, those of another with the same content stay', async () => {
    const [first, other] = [project, await app.open(app.newProjectId())]
    const digest = await publish('same', { n: 'same' })
    project = other
    await publish('same', { n: 'same' })
    project = first
    await remove('same')
    later(2 * day)
    await sweeper.sweep()
    expect(await isStored(digest)).toBe(false)
    expect((await app.storedValues.read(other, [digest])).has(digest)).toBe(true)
  })

  test('go a day after a writer was killed before it published', async () => {
    await app.storedValues.put(project, { digest: 'd'.repeat(43), val: 1, json: '1' })
    later(day - hour)
    await sweeper.sweep()
    expect(await isStored('d'.repeat(43))).toBe(true)
    later(2 * hour)
    await sweeper.sweep()
    expect(await isStored('d'.repeat(43))).toBe(false)
  })

  test('are there again for a version that comes back, whatever is in the cache', async () => {
    const digest = await publish('back', { n: 'back' })
    await remove('back')
    later(2 * day)
    await sweeper.sweep()
    expect(await isStored(digest)).toBe(false)
    expect(await publish('back', { n: 'back' })).toBe(digest)
    expect(await isStored(digest)).toBe(true)
  })

  test('are not listed for queries of calls once they are gone, unless they are there again', async () => {
    const deleted = async () => (await app.objects.findDeleted(project, 10)).map(({ object_id }) => object_id)
    await publish('first', { told: 1 })
    await publish('second', { told: 1 })
    await remove('first')
    expect(await deleted()).toEqual(['first'])
    later(2 * day)
    await sweeper.sweep()
    expect(await deleted()).toEqual(['first'])
    await remove('second')
    later(2 * day)
    await sweeper.sweep()
    expect(await deleted()).toEqual([])
    await publish('second', { told: 1 })
    expect(await deleted()).toEqual(['first'])
  })

  test('are there when they are published while a sweep is under way', async () => {
    for (let trial = 0; trial < trials({ usual: 4, long: 100 }); trial++) {
      const contents = Array.from({ length: 5 }, (_, n) => ({ n, object_id: `racing-${n}` }))
      for (const { n, object_id } of contents) await publish(object_id, { n })
      for (const { object_id } of contents) await remove(object_id)
      later(2 * day)
      const [swept, ...digests] = await Promise.all([
        sweeper.sweep(),
        ...contents.map(async ({ n, object_id }) => {
          for (let turns = (trial * 3 + n * 5) % 11; turns > 0; turns--) await new Promise((resolve) => void setImmediate(resolve))
          return publish(object_id, { n })
        }),
      ])
      expect(swept.examined).toBeGreaterThan(0)
      const stored = await app.storedValues.read(project, digests)
      expect([...stored.keys()].toSorted()).toEqual(digests.toSorted())
    }
  })

  sliceOfSuite({ isWhole: kind === 'sqlite' })
})
