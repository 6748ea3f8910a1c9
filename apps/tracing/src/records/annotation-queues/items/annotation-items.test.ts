import { sliceOfCases, sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCalls } from '../../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { aFilledQueue, dialects, type FilledQueue, type QueueApp, startQueueApp } from '../testing/queue-app.ts'

describe.each(dialects)('items of annotation queues on $dialect', ({ postgresUrl }) => {
  const isWhole = postgresUrl === undefined
  const isMissing = postgresUrl === ''
  let app: QueueApp
  beforeAll(async () => {
    if (!isMissing) app = await startQueueApp(postgresUrl)
  })
  afterAll(() => (isMissing ? undefined : app.close()))

  const add = ({ project_id, queue_id }: FilledQueue, call_ids: string[], display_fields: string[] = []) =>
    app.client.annotationQueues.addCalls({ project_id, queue_id, call_ids, display_fields })
  const itemsOf = async ({ project_id, queue_id }: FilledQueue, query: object = {}) =>
    (await app.client.annotationQueues.queryItems({ project_id, queue_id, ...query })).items
  /** Lets a queue count as one of so many items. */
  const countsAs = ({ queue_id }: FilledQueue, total_items: number) =>
    app.stores.database.updateTable('annotation_queues').set({ total_items }).where('id', '=', queue_id).execute()

  describe('adding', () => {
    test.skipIf(isMissing)('leaves out calls that are in the queue, and counts them once', async () => {
      const queue = await aFilledQueue(app, { calls: 3, items: 1 })
      const [a = '', b = '', c = ''] = queue.calls
      expect(await add(queue, [a, b, a])).toEqual({ added_count: 1, duplicates: 1 })
      expect(await add(queue, [b, a, c])).toEqual({ added_count: 1, duplicates: 2 })
      expect((await itemsOf(queue)).map(({ call_id }) => call_id)).toEqual([a, b, c])
    })

    test.skipIf(isMissing)('skips unknown calls, deleted ones and those of other projects in silence', async () => {
      const [queue, other] = [await aFilledQueue(app, { calls: 2, items: 0 }), await aFilledQueue(app, { calls: 1, items: 0 })]
      const [a = '', b = ''] = queue.calls
      await app.client.calls.delete({ project_id: queue.project_id, call_ids: [a] })
      expect(await add(queue, ['unknown', a, 'nul\0', ...other.calls])).toEqual({ added_count: 0, duplicates: 0 })
      expect(await add(queue, ['unknown', b])).toEqual({ added_count: 1, duplicates: 0 })
    })

    test.skipIf(isMissing)('makes one item of an id that is given twice, in the order of the request', async () => {
      const queue = await aFilledQueue(app, { calls: 3, items: 0 })
      const [a = '', b = '', c = ''] = queue.calls
      expect(await add(queue, [c, a, c, b, a])).toEqual({ added_count: 3, duplicates: 0 })
      expect((await itemsOf(queue)).map(({ call_id }) => call_id)).toEqual([c, a, b])
    })

    test.skipIf(isMissing)('answers the number of given ids where all are in the queue, and 0 for none', async () => {
      const queue = await aFilledQueue(app, { calls: 2, items: 2 })
      const [a = '', b = ''] = queue.calls
      expect(await add(queue, [a, b, a])).toEqual({ added_count: 0, duplicates: 3 })
      expect(await add(queue, [])).toEqual({ added_count: 0, duplicates: 0 })
      await app.client.calls.delete({ project_id: queue.project_id, call_ids: [a] })
      expect(await add(queue, [a])).toEqual({ added_count: 0, duplicates: 1 })
    })

    test.skipIf(isMissing)('copies what the call is at that time, and keeps it when the call changes or goes', async () => {
      const queue = await aFilledQueue(app, { calls: 1, items: 0 })
      const [id = ''] = queue.calls
      const { call } = await app.client.calls.read({ project_id: queue.project_id, id })
      const caller = await app.as('adder')
      await caller.annotationQueues.addCalls({ ...queue, call_ids: [id], display_fields: ['inputs.prompt', 'output.text'] })
      const [item] = await itemsOf(queue)
      expect(item).toEqual({
        id: expect.any(String),
        project_id: queue.project_id,
        queue_id: queue.queue_id,
        call_id: id,
        call_started_at: call?.started_at,
        call_ended_at: call?.ended_at,
        call_op_name: 'op-0',
        call_trace_id: call?.trace_id,
        display_fields: ['inputs.prompt', 'output.text'],
        added_by: 'adder',
        annotation_state: 'unstarted',
        annotator_user_id: '',
        own_state: 'unstarted',
        review_count: 0,
        claimed_by: null,
        claimed_until: null,
        created_at: item?.updated_at,
        created_by: 'adder',
        updated_at: expect.any(String),
        deleted_at: null,
        position_in_queue: null,
      })
      await app.client.calls.delete({ project_id: queue.project_id, call_ids: [id] })
      expect(await itemsOf(queue)).toEqual([item])
    })

    test.skipIf(isMissing)('a call that runs has no end', async () => {
      const queue = await aFilledQueue(app, { calls: 0, items: 0 })
      const { id } = await app.client.calls.start({
        start: { project_id: queue.project_id, op_name: '', started_at: '2026-03-01T00:00:00.000001Z', attributes: {}, inputs: {} },
      })
      expect(await add(queue, [id])).toEqual({ added_count: 1, duplicates: 0 })
      const copied = { call_started_at: '2026-03-01T00:00:00.000001Z', call_ended_at: null, call_op_name: '' }
      expect(await itemsOf(queue)).toEqual([expect.objectContaining(copied)])
    })

    test.skipIf(isMissing)('to an unknown or deleted queue is not found', async () => {
      const queue = await aFilledQueue(app, { calls: 1, items: 0 })
      const other = await aFilledQueue(app, { calls: 0, items: 0 })
      await app.client.annotationQueues.delete(queue)
      for (const queue_id of [queue.queue_id, other.queue_id, 'unknown', 'nul\0'])
        await expect(add({ ...queue, queue_id }, queue.calls)).rejects.toMatchObject({ status: 404 })
    })

    test.skipIf(isMissing).each<[string, object]>(
      sliceOfCases(
        [
          ['more than 1000 calls', { call_ids: Array.from({ length: 1001 }, () => 'c') }],
          ['more than 100 fields', { display_fields: Array.from({ length: 101 }, () => 'f') }],
          ['fields of more than 16,384 characters', { display_fields: ['x'.repeat(16_385)] }],
          ['a field with NUL', { display_fields: ['a\0'] }],
        ],
        { isWhole },
      ),
    )('refuses %s with 400', async (_, body) => {
      const { project_id, queue_id } = await aFilledQueue(app, { calls: 0, items: 0 })
      const request = { path: `/annotation_queues/${queue_id}/items`, body: { project_id, call_ids: [], display_fields: [], ...body } }
      expect((await sendRaw(app, request)).status).toBe(400)
    })

    test.skipIf(isMissing)('of one call by many at once makes one item, and the counts agree', async () => {
      const queue = await aFilledQueue(app, { calls: 20, items: 0 })
      const answers = await Promise.all(Array.from({ length: 16 }, () => add(queue, queue.calls)))
      expect(answers.map(({ added_count }) => added_count).toSorted((a, b) => a - b)).toEqual([...Array<number>(15).fill(0), 20])
      const { stats } = await app.client.annotationQueues.stats({ project_id: queue.project_id, queue_ids: [queue.queue_id] })
      expect(stats).toMatchObject([{ total_items: 20 }])
      expect(await itemsOf(queue)).toHaveLength(20)
    })

    test.skipIf(isMissing)('beyond 50,000 items is refused, and adds none', async () => {
      const queue = await aFilledQueue(app, { calls: 3, items: 1 })
      await countsAs(queue, 49_999)
      await expect(add(queue, queue.calls)).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('at most 50000') as string,
      })
      expect(await itemsOf(queue)).toHaveLength(1)
      expect(await add(queue, queue.calls.slice(0, 2))).toEqual({ added_count: 1, duplicates: 1 })
    })

    test.skipIf(isMissing)('a call may be in many queues', async () => {
      const queue = await aFilledQueue(app, { calls: 1, items: 1 })
      const { id } = await app.client.annotationQueues.create({ project_id: queue.project_id, name: 'b', scorer_refs: [] })
      expect(await add({ ...queue, queue_id: id }, queue.calls)).toEqual({ added_count: 1, duplicates: 0 })
    })

    sliceOfSuite({ isWhole })
  })

  describe('a query of items', () => {
    let queue: FilledQueue
    /** Its items, by the start of their calls. */
    let ids: string[]
    beforeAll(async () => {
      if (isMissing) return
      queue = await aFilledQueue(app, { calls: 5, items: 0 })
      const [a = '', b = '', c = '', d = '', e = ''] = queue.calls
      await (await app.as('adder')).annotationQueues.addCalls({ ...queue, call_ids: [e, d], display_fields: [] })
      await add(queue, [a, b, c])
      ids = (await itemsOf(queue, { sort_by: [{ field: 'call_started_at', direction: 'asc' }] })).map(({ id }) => id)
      const set = async (user: string, at: number, annotation_state: string) =>
        (await app.as(user)).annotationQueues.updateProgress({ ...queue, item_id: ids[at] ?? '', annotation_state })
      await set('u1', 0, 'completed')
      await set('u1', 1, 'skipped')
      await set('u2', 1, 'in_progress')
      await set('u2', 3, 'in_progress')
      await set('u1', 3, 'skipped')
    })
    const asc = (field: string) => ({ sort_by: [{ field, direction: 'asc' as const }] })
    const desc = (field: string) => ({ sort_by: [{ field, direction: 'desc' as const }] })

    test.skipIf(isMissing).each<[string, () => object, number[]]>([
      ['in the order of their addition', () => ({}), [4, 3, 0, 1, 2]],
      ['by the start of the call', () => desc('call_started_at'), [4, 3, 2, 1, 0]],
      ['by the op', () => asc('call_op_name'), [0, 1, 2, 3, 4]],
      ['by their creation', () => desc('created_at'), [0, 1, 2, 4, 3]],
      ['by their change', () => asc('updated_at'), [4, 3, 0, 1, 2]],
      ['by unknown fields as by none', () => asc('annotation_state'), [4, 3, 0, 1, 2]],
      ['by id', () => ({ filter: { id: ids[2] } }), [2]],
      ['by call', () => ({ filter: { call_id: queue.calls[3] } }), [3]],
      ['by op, exactly', () => ({ filter: { call_op_name: 'op-1' } }), [1]],
      ['by a part of an op never', () => ({ filter: { call_op_name: 'op' } }), []],
      ['by who added them', () => ({ filter: { added_by: 'adder' } }), [4, 3]],
      ['by an unknown trace', () => ({ filter: { call_trace_id: 't' } }), []],
      ['by a text that no field holds', () => ({ filter: { call_id: 'nul\0' } }), []],
      ['by all parts of a filter', () => ({ filter: { added_by: 'adder', call_id: queue.calls[3], annotation_states: ['skipped'] } }), [3]],
      ['by parts of which one does not hold', () => ({ filter: { added_by: 'adder', call_id: queue.calls[0] } }), []],
      ['by the state shown', () => ({ filter: { annotation_states: ['skipped'] } }), [3]],
      ['by any of some states', () => ({ filter: { annotation_states: ['completed', 'in_progress'] } }), [0, 1]],
      ['by the state of nobody', () => ({ filter: { annotation_states: ['unstarted'] } }), [4, 2]],
      ['by an empty list of states as by none', () => ({ filter: { annotation_states: [] } }), [4, 3, 0, 1, 2]],
      ['by unknown states never', () => ({ filter: { annotation_states: ['done', 'nul\0'] } }), []],
      ['in a page', () => ({ limit: 2, offset: 1 }), [3, 0]],
      ['in a page of a state', () => ({ filter: { annotation_states: ['unstarted'] }, limit: 1, offset: 1 }), [2]],
      ['in an empty page', () => ({ limit: 0 }), []],
    ])('answers %s', async (_, query, expected) => {
      expect((await itemsOf(queue, query())).map(({ id }) => ids.indexOf(id))).toEqual(expected)
    })

    test.skipIf(isMissing)('shows the state that any annotator set last', async () => {
      const shown = (await itemsOf(queue, asc('call_started_at'))).map(({ annotation_state, annotator_user_id }) => [
        annotation_state,
        annotator_user_id,
      ])
      expect(shown).toEqual([
        ['completed', 'u1'],
        ['in_progress', 'u2'],
        ['unstarted', ''],
        ['skipped', 'u1'],
        ['unstarted', ''],
      ])
    })

    test.skipIf(isMissing).each<[string, () => object, [number, number][]]>([
      [
        'from 1',
        () => ({ limit: 2 }),
        [
          [4, 1],
          [3, 2],
        ],
      ],
      [
        'whatever was skipped',
        () => ({ offset: 3 }),
        [
          [1, 4],
          [2, 5],
        ],
      ],
      [
        'after the filter of fields',
        () => ({ filter: { added_by: 'tester' } }),
        [
          [0, 1],
          [1, 2],
          [2, 3],
        ],
      ],
      [
        'before the filter of states',
        () => ({ filter: { annotation_states: ['unstarted', 'skipped'] }, offset: 1 }),
        [
          [3, 2],
          [2, 5],
        ],
      ],
      ['in the order asked for', () => ({ ...asc('call_started_at'), filter: { annotation_states: ['skipped'] } }), [[3, 4]]],
    ])('numbers positions %s', async (_, query, expected) => {
      const found = await itemsOf(queue, { ...query(), include_position: true })
      expect(found.map(({ id, position_in_queue }) => [ids.indexOf(id), position_in_queue])).toEqual(expected)
    })

    test.skipIf(isMissing)('of an unknown queue is empty; of a deleted one it is not', async () => {
      const deleted = await aFilledQueue(app, { calls: 1, items: 1 })
      await app.client.annotationQueues.delete(deleted)
      expect(await itemsOf(deleted)).toHaveLength(1)
      for (const queue_id of ['unknown', 'nul\0', deleted.queue_id]) expect(await itemsOf({ ...queue, queue_id })).toEqual([])
    })

    test.skipIf(isMissing)('refuses negative numbers and more than 1000 states with 400', async () => {
      for (const query of [{ limit: -1 }, { offset: -1 }, { filter: { annotation_states: Array.from({ length: 1001 }, () => 'x') } }])
        await expect(itemsOf(queue, query)).rejects.toMatchObject({ status: 400 })
    })

    sliceOfSuite({ isWhole })
  })

  describe('calls of a queue', () => {
    const isIn = (queue_id: string) => ({ $eq: [{ $getField: 'annotation_queue_items.queue_id' }, { $literal: queue_id }] })
    const callsIn = async (project_id: string, $expr: object) => {
      const query = { $expr } as never
      const found = await findCalls(app.client, { project_id, query })
      expect(await app.client.calls.queryStats({ project_id, query })).toMatchObject({ count: found.length })
      return found.map(({ id }) => id)
    }

    test.skipIf(isMissing)('are those that are items of it, also when it was deleted', async () => {
      const queue = await aFilledQueue(app, { calls: 4, items: 2 })
      const { project_id, queue_id, calls } = queue
      expect(await callsIn(project_id, isIn(queue_id))).toEqual(calls.slice(0, 2))
      expect(await callsIn(project_id, { $not: [isIn(queue_id)] })).toEqual(calls.slice(2))
      await add(queue, calls.slice(3))
      expect(await callsIn(project_id, isIn(queue_id))).toEqual([calls[0], calls[1], calls[3]])
      await app.client.annotationQueues.delete(queue)
      expect(await callsIn(project_id, isIn(queue_id))).toEqual([calls[0], calls[1], calls[3]])
    })

    test.skipIf(isMissing)('of several queues combine with each other and with other conditions', async () => {
      const { project_id, queue_id, calls } = await aFilledQueue(app, { calls: 4, items: 2 })
      const { id } = await app.client.annotationQueues.create({ project_id, name: 'b', scorer_refs: [] })
      await add({ project_id, queue_id: id, calls }, calls.slice(1, 3))
      const isOp = { $eq: [{ $getField: 'op_name' }, { $literal: 'op-1' }] }
      expect(await callsIn(project_id, { $or: [isIn(queue_id), isIn(id)] })).toEqual(calls.slice(0, 3))
      expect(await callsIn(project_id, { $and: [isIn(queue_id), isIn(id)] })).toEqual([calls[1]])
      expect(await callsIn(project_id, { $and: [isIn(queue_id), { $not: [isOp] }] })).toEqual([calls[0]])
    })

    test.skipIf(isMissing)('of an unknown queue or one of another project are none', async () => {
      const [queue, other] = [await aFilledQueue(app, { calls: 1, items: 1 }), await aFilledQueue(app, { calls: 1, items: 1 })]
      for (const id of [other.queue_id, 'unknown', 'nul\0']) expect(await callsIn(queue.project_id, isIn(id))).toEqual([])
    })

    test.skipIf(isMissing)('of queues with more than 100,000 items together are refused', async () => {
      const [a, b] = [await aFilledQueue(app, { calls: 1, items: 1 }), await aFilledQueue(app, { calls: 0, items: 0 })]
      await countsAs(a, 100_000)
      expect(await callsIn(a.project_id, isIn(a.queue_id))).toEqual(a.calls)
      await countsAs(a, 100_001)
      await expect(callsIn(a.project_id, isIn(a.queue_id))).rejects.toMatchObject({ status: 400 })
      expect(await callsIn(b.project_id, { $or: [isIn(a.queue_id), isIn(b.queue_id)] })).toEqual([])
    })

    test.skipIf(isMissing)('are requested by $eq with an id alone, and by no other field of items', async () => {
      const project_id = app.newProject()
      const status = async ($expr: object) =>
        (await sendRaw(app, { path: '/calls/stream_query', body: { project_id, query: { $expr } } })).status
      const field = { $getField: 'annotation_queue_items.queue_id' }
      expect(await status({ $gt: [field, { $literal: 'q' }] })).toBe(400)
      expect(await status({ $eq: [{ $getField: 'annotation_queue_items.id' }, { $literal: 'q' }] })).toBe(422)
    })

    sliceOfSuite({ isWhole })
  })

  test.skipIf(isMissing)('feedback names a queue of its project that is not deleted, or is refused', async () => {
    const queue = await aFilledQueue(app, { calls: 1, items: 1 })
    const { project_id, queue_id, calls } = queue
    const feedback = { project_id, weave_ref: `weave:///${project_id}/call/${calls[0]}`, feedback_type: 'quality', payload: {} }
    await app.client.feedback.create({ ...feedback, queue_id })
    const { result } = await app.client.feedback.query({ project_id })
    expect(result).toMatchObject([{ queue_id }])
    const other = await aFilledQueue(app, { calls: 0, items: 0 })
    await expect(app.client.feedback.create({ ...feedback, queue_id: other.queue_id })).rejects.toMatchObject({ status: 400 })
    await app.client.annotationQueues.delete(queue)
    await expect(app.client.feedback.create({ ...feedback, queue_id })).rejects.toMatchObject({ status: 400 })
  })
})
