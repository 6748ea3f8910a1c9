import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sliceOfCases, sliceOfSuite, trials } from '@heddle/testing'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { aFilledQueue, dialects, findQueues, type QueueApp, startQueueApp } from '../testing/queue-app.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

describe.each(dialects)('annotation queues on $dialect', ({ postgresUrl }) => {
  const isWhole = postgresUrl === undefined
  const isMissing = postgresUrl === ''
  let app: QueueApp
  beforeAll(async () => {
    if (!isMissing) app = await startQueueApp(postgresUrl)
  })
  afterAll(() => (isMissing ? undefined : app.close()))

  const create = async (project_id: string, name: string) =>
    (await app.client.annotationQueues.create({ project_id, name, scorer_refs: [] })).id
  const post = (path: string, body: object) => sendRaw(app, { path: `/annotation_queues${path}`, body })

  describe('operations', () => {
    test.skipIf(isMissing)('ids are UUIDs that grow with time', async () => {
      const project_id = app.newProject()
      const ids = [await create(project_id, 'a'), await create(project_id, 'b'), await create(project_id, 'c')]
      for (const id of ids) expect(id).toMatch(uuid)
      expect(ids.toSorted()).toEqual(ids)
    })

    test.skipIf(isMissing)('unknown fields are ignored, and so is a user that is sent', async () => {
      const project_id = app.newProject()
      const answer = await post('', { project_id, name: 'a', scorer_refs: [], color: 'red', wb_user_id: 'somebody' })
      expect(answer).toMatchObject({ status: 200, body: { id: expect.stringMatching(uuid) } })
      const [queue] = await findQueues(app.client, { project_id })
      expect(queue).toMatchObject({ created_by: 'tester', project_id })
    })

    test.skipIf(isMissing).each<[string, string, object]>(
      sliceOfCases(
        [
          ['a queue without a name', '', { scorer_refs: [] }],
          ['a queue without scorers', '', { name: 'a' }],
          ['a name that is not text', '', { name: 1, scorer_refs: [] }],
          ['a description that is not text', '', { name: 'a', description: [], scorer_refs: [] }],
          ['an order without a direction', '/query', { sort_by: [{ field: 'name' }] }],
          ['another direction', '/query', { sort_by: [{ field: 'name', direction: 'up' }] }],
          ['another key of an order', '/query', { sort_by: [{ field: 'name', direction: 'asc', nulls: 'first' }] }],
          ['a limit that is not a number', '/query', { limit: 'many' }],
          ['no reviewers of an item', '', { name: 'a', scorer_refs: [], reviewers_per_item: 0 }],
          ['more reviewers of an item than 20', '', { name: 'a', scorer_refs: [], reviewers_per_item: 21 }],
          ['a reservation of no time', '', { name: 'a', scorer_refs: [], reservation_minutes: 0 }],
          ['a reservation of more than a day', '', { name: 'a', scorer_refs: [], reservation_minutes: 1_441 }],
          ['another order of items', '', { name: 'a', scorer_refs: [], item_order: 'best' }],
          ['counts of no queues', '/stats', {}],
          ['items without calls', '/q/items', { display_fields: [] }],
          ['items without fields', '/q/items', { call_ids: [] }],
          ['an order of items without a field', '/q/items/query', { sort_by: [{ direction: 'asc' }] }],
          ['progress without a state', '/q/items/i/progress', {}],
          ['a claim of nothing', '/q/items/claim', { limit: 0 }],
          ['a claim of too much', '/q/items/claim', { limit: 101 }],
          ['a claim for no time', '/q/items/claim', { lease_seconds: 0 }],
          ['a claim for more than a day', '/q/items/claim', { lease_seconds: 86_401 }],
          ['a claim of a part', '/q/items/claim', { limit: 1.5 }],
        ],
        { isWhole },
      ),
    )('refuses %s with 422', async (_, path, body) => {
      const project_id = app.newProject()
      expect(await post(path, { project_id, ...body })).toMatchObject({
        status: 422,
        body: { detail: [{ loc: expect.arrayContaining(['body']) }] },
      })
      expect((await post(path, body)).status).toBe(422)
    })

    test.skipIf(isMissing)('query and stats are words of the path and no ids', async () => {
      for (const word of ['query', 'stats']) {
        const path = `/annotation_queues/${word}?project_id=e%2Fp`
        expect((await sendRaw(app, { method: 'GET', path })).status).toBe(405)
      }
    })

    sliceOfSuite({ isWhole })
  })

  describe('queues', () => {
    test.skipIf(isMissing)('are read as they were created, with defaults', async () => {
      const project_id = app.newProject()
      const refs = [`weave:///${project_id}/object/spec:latest`, 'any text']
      const { id: queue_id } = await app.client.annotationQueues.create({ project_id, name: 'Ünï 🧵', scorer_refs: refs })
      const { queue } = await app.client.annotationQueues.read({ project_id, queue_id })
      expect(queue).toEqual({
        id: queue_id,
        project_id,
        name: 'Ünï 🧵',
        description: '',
        scorer_refs: refs,
        reviewers_per_item: 1,
        reservation_minutes: 10,
        item_order: 'oldest',
        created_at: expect.any(String),
        created_by: 'tester',
        updated_at: queue.created_at,
        deleted_at: null,
      })
    })

    test.skipIf(isMissing)('may share a name, but may not have an empty one', async () => {
      const project_id = app.newProject()
      expect(await create(project_id, 'a')).not.toBe(await create(project_id, 'a'))
      await expect(create(project_id, '')).rejects.toMatchObject({ status: 400 })
    })

    test.skipIf(isMissing)('show references in their external form, and hide those of projects that the reader may not see', async () => {
      const [project_id, other] = [app.newProject(), app.newProject()]
      const place = { project_id, queue_id: await create(project_id, 'a') }
      await create(other, 'there')
      const [{ internal_project_id } = { internal_project_id: '' }] = await app.client.service.projectsInfo({ project_ids: [other] })
      const scorer_refs = [`weave-trace-internal:///${internal_project_id}/object/spec:v0`]
      const { queue } = await app.client.annotationQueues.update({ ...place, scorer_refs })
      expect(queue.scorer_refs).toEqual([`weave:///${other}/object/spec:v0`])
      const reader = await app.clientFor({ name: 'reader', role: 'reader', projects: [{ project_id, role: 'reader' }] })
      const seen = (await reader.annotationQueues.read(place)).queue.scorer_refs
      expect(JSON.stringify([seen, (await findQueues(reader, { project_id }))[0]?.scorer_refs])).not.toContain(other)
    })

    test.skipIf(isMissing)('change only in the fields that are given', async () => {
      const project_id = app.newProject()
      const { id: queue_id } = await app.client.annotationQueues.create({ project_id, name: 'a', description: 'd', scorer_refs: ['s'] })
      const place = { project_id, queue_id }
      const before = (await app.client.annotationQueues.read(place)).queue
      const { queue: named } = await app.client.annotationQueues.update({ ...place, name: 'b' })
      expect(named).toEqual({ ...before, name: 'b', updated_at: expect.any(String) })
      expect(named.updated_at > before.updated_at).toBe(true)
      const { queue: cleared } = await app.client.annotationQueues.update({ ...place, description: '', scorer_refs: [] })
      expect(cleared).toMatchObject({ name: 'b', description: '', scorer_refs: [], created_at: before.created_at })
      expect((await app.client.annotationQueues.read(place)).queue).toEqual(cleared)
    })

    test.skipIf(isMissing)('without a change keep the time of the last one', async () => {
      const project_id = app.newProject()
      const place = { project_id, queue_id: await create(project_id, 'a') }
      const { queue } = await app.client.annotationQueues.read(place)
      expect(await app.client.annotationQueues.update({ ...place, name: null })).toEqual({ queue })
      await expect(app.client.annotationQueues.update({ ...place, name: '' })).rejects.toMatchObject({ status: 400 })
      expect(await app.client.annotationQueues.read(place)).toEqual({ queue })
    })

    test.skipIf(isMissing)('that are deleted are seen by nobody, and only once deleted', async () => {
      const project_id = app.newProject()
      const place = { project_id, queue_id: await create(project_id, 'a') }
      const { queue } = await app.client.annotationQueues.read(place)
      const { queue: deleted } = await app.client.annotationQueues.delete(place)
      expect(deleted).toEqual({ ...queue, deleted_at: deleted.updated_at, updated_at: expect.any(String) })
      expect(deleted.updated_at > queue.updated_at).toBe(true)
      expect(await findQueues(app.client, { project_id })).toEqual([])
      const { annotationQueues } = app.client
      await expect(annotationQueues.read(place)).rejects.toMatchObject({ status: 404, message: `Queue ${place.queue_id} not found` })
      const gone = { status: 404, message: `Queue ${place.queue_id} not found or already deleted` }
      await expect(annotationQueues.delete(place)).rejects.toMatchObject(gone)
      for (const change of [{ name: 'b' }, {}])
        await expect(annotationQueues.update({ ...place, ...change })).rejects.toMatchObject({ status: 404 })
    })

    test.skipIf(isMissing)('of another project, or with an unknown id, are not found', async () => {
      const [project_id, other] = [app.newProject(), app.newProject()]
      const theirs = await create(other, 'a')
      await create(project_id, 'mine')
      for (const queue_id of [theirs, 'unknown', 'nul\0']) {
        const place = { project_id, queue_id }
        await expect(app.client.annotationQueues.read(place)).rejects.toMatchObject({ status: 404 })
        await expect(app.client.annotationQueues.update({ ...place, name: 'x' })).rejects.toMatchObject({ status: 404 })
        await expect(app.client.annotationQueues.delete(place)).rejects.toMatchObject({ status: 404 })
      }
      expect((await findQueues(app.client, { project_id: other })).map(({ name }) => name)).toEqual(['a'])
    })

    test.skipIf(isMissing).each<[string, object]>(
      sliceOfCases(
        [
          ['a name of 1025 characters', { name: 'x'.repeat(1025) }],
          ['a name with NUL', { name: 'a\0' }],
          ['a long description', { description: 'x'.repeat(65_537) }],
          ['1001 references', { scorer_refs: Array.from({ length: 1001 }, () => 's') }],
          ['a reference that names no project', { scorer_refs: ['weave:///x'] }],
        ],
        { isWhole },
      ),
    )('refuse %s with 400, new or changed', async (_, fields) => {
      const project_id = app.newProject()
      const queue_id = await create(project_id, 'a')
      expect((await post('', { project_id, name: 'b', scorer_refs: [], ...fields })).status).toBe(400)
      const change = { method: 'PUT', path: `/annotation_queues/${queue_id}`, body: { project_id, ...fields } }
      expect((await sendRaw(app, change)).status).toBe(400)
    })

    sliceOfSuite({ isWhole })
  })

  describe('a query of queues', () => {
    let project_id: string
    const ids: string[] = []
    beforeAll(async () => {
      if (isMissing) return
      project_id = app.newProject()
      for (const name of ['beta', 'Älpha', '100%', 'a_b', 'beta']) ids.push(await create(project_id, name))
      await create(app.newProject(), 'beta elsewhere')
      await app.client.annotationQueues.update({ project_id, queue_id: ids[1] ?? '', description: 'changed' })
    })

    const asc = (field: string) => ({ sort_by: [{ field, direction: 'asc' as const }] })
    test.skipIf(isMissing).each<[string, object, number[]]>([
      ['the newest first', {}, [4, 3, 2, 1, 0]],
      ['a part of the name in any case', { name: 'äLPH' }, [1]],
      ['an empty name as none', { name: '' }, [4, 3, 2, 1, 0]],
      ['a percent sign as itself', { name: '%' }, [2]],
      ['an underscore as itself', { name: 'A_' }, [3]],
      ['a text that no name can hold', { name: '\0' }, []],
      ['by name in bytes, then by id', asc('name'), [2, 3, 0, 4, 1]],
      ['by id', asc('id'), [0, 1, 2, 3, 4]],
      ['by change', asc('updated_at'), [0, 2, 3, 4, 1]],
      ['by creation', asc('created_at'), [0, 1, 2, 3, 4]],
      ['unknown fields as none', asc('bogus'), [4, 3, 2, 1, 0]],
      ['no keys as none', { sort_by: [] }, [4, 3, 2, 1, 0]],
      [
        'by the known of several keys',
        {
          sort_by: [
            { field: 'x', direction: 'asc' },
            { field: 'name', direction: 'desc' },
            { field: 'id', direction: 'desc' },
          ],
        },
        [1, 4, 0, 3, 2],
      ],
      ['a page', { limit: 2, offset: 1 }, [3, 2]],
      ['a page of an order', { ...asc('name'), limit: 2, offset: 2 }, [0, 4]],
      ['what is left', { offset: 4 }, [0]],
      ['nothing', { limit: 0 }, []],
    ])('answers %s', async (_, query, expected) => {
      const found = await findQueues(app.client, { project_id, ...query })
      expect(found.map(({ id }) => ids.indexOf(id))).toEqual(expected)
    })

    test.skipIf(isMissing)('refuses negative numbers with 400', async () => {
      for (const page of [{ limit: -1 }, { offset: -1 }]) expect((await post('/query', { project_id, ...page })).status).toBe(400)
    })

    test.skipIf(isMissing)('streams JSON lines, whatever is accepted, and nothing if there is none', async () => {
      const headers = { accept: 'application/x-ndjson' }
      const answer = await sendRaw(app, { path: '/annotation_queues/query', body: { project_id }, headers })
      expect(answer.headers.get('content-type')).toBe('application/jsonl')
      expect(answer.text.split('\n')).toHaveLength(6)
      expect(answer.text.endsWith('}\n')).toBe(true)
      expect(await post('/query', { project_id: app.newProject() })).toMatchObject({ status: 200, text: '' })
    })

    test.skipIf(isMissing)('pages are the whole, also over many of them', async () => {
      const project = app.newProject()
      const [count, limit] = [trials({ usual: 200, long: 600 }), trials({ usual: 80, long: 250 })]
      for (let at = 0; at < count; at += 20)
        await Promise.all(Array.from({ length: 20 }, (_, each) => create(project, `q${(at + each) % 7}`)))
      const order = asc('name')
      const all = (await findQueues(app.client, { project_id: project, ...order })).map(({ id }) => id)
      expect(new Set(all).size).toBe(count)
      const pages = await Promise.all(
        [0, 1, 2].map((page) => findQueues(app.client, { project_id: project, ...order, limit, offset: page * limit })),
      )
      expect(pages.flat().map(({ id }) => id)).toEqual(all)
    })

    sliceOfSuite({ isWhole })
  })

  describe('stats', () => {
    test.skipIf(isMissing)('count live items and those that somebody completed or skipped, per given id and in its place', async () => {
      const { project_id, queue_id } = await aFilledQueue(app, { calls: 4, items: 3 })
      const { items } = await app.client.annotationQueues.queryItems({ project_id, queue_id })
      const [one, other] = [await app.as('u1'), await app.as('u2')]
      const set = (client: typeof one, at: number, annotation_state: string) =>
        client.annotationQueues.updateProgress({ project_id, queue_id, item_id: items[at]?.id ?? '', annotation_state })
      await set(one, 0, 'in_progress')
      await set(one, 1, 'skipped')
      await set(other, 1, 'completed')
      const empty = await create(project_id, 'empty')
      const stats = (queue_ids: string[]) => app.client.annotationQueues.stats({ project_id, queue_ids })
      const counts = { queue_id, total_items: 3, completed_items: 1 }
      const none = { total_items: 0, completed_items: 0 }
      expect(await stats([queue_id, 'unknown', empty, 'nul\0', queue_id])).toEqual({
        stats: [counts, { queue_id: 'unknown', ...none }, { queue_id: empty, ...none }, { queue_id: 'nul\0', ...none }, counts],
      })
      await app.client.annotationQueues.delete({ project_id, queue_id })
      expect(await stats([queue_id])).toEqual({ stats: [counts] })
      expect(await app.client.annotationQueues.stats({ project_id: app.newProject(), queue_ids: [queue_id] })).toEqual({
        stats: [{ queue_id, ...none }],
      })
    })

    test.skipIf(isMissing)('of no queues are none, of more than 1000 are refused', async () => {
      const project_id = app.newProject()
      expect(await app.client.annotationQueues.stats({ project_id, queue_ids: [] })).toEqual({ stats: [] })
      expect((await post('/stats', { project_id, queue_ids: Array.from({ length: 1001 }, () => 'q') })).status).toBe(400)
    })

    sliceOfSuite({ isWhole })
  })
})
