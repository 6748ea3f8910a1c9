import { sliceOfSuite } from '@heddle/testing'
import { describe, expect, test } from 'vitest'
import type { TestClient } from '../../../testing/start-test-app.ts'
import { newId } from '../../../contract-tests/testing/call-builders.ts'
import { aFilledQueue, dialects, type FilledQueue, startReviews } from '../testing/queue-app.ts'

describe.each(dialects)('the set-up of a queue on $dialect', ({ postgresUrl }) => {
  const reviews = startReviews(postgresUrl)
  const { isMissing } = reviews

  async function aQueue(items: number, setUp: object): Promise<FilledQueue> {
    const queue = await aFilledQueue(reviews.app, { calls: items, items })
    await reviews.app.client.annotationQueues.update({ ...queue, ...setUp })
    return queue
  }
  const itemsOf = async (queue: FilledQueue, query: object = {}) =>
    (await reviews.app.client.annotationQueues.queryItems({ ...queue, ...query })).items
  const placesOf = async (queue: FilledQueue, query: object) =>
    (await itemsOf(queue, query)).map(({ call_id }) => queue.calls.indexOf(call_id))
  async function claim(client: TestClient, queue: FilledQueue, terms: object = {}): Promise<number[]> {
    const { items } = await client.annotationQueues.claimItems({ ...queue, ...terms })
    return items.map(({ call_id }) => queue.calls.indexOf(call_id))
  }
  async function set(client: TestClient, queue: FilledQueue, at: number, annotation_state: string) {
    const [item] = await itemsOf(queue, { filter: { call_id: queue.calls[at] ?? null } })
    return (await client.annotationQueues.updateProgress({ ...queue, item_id: item?.id ?? '', annotation_state })).item
  }
  const completed = async (queue: FilledQueue) =>
    (await reviews.app.client.annotationQueues.stats({ project_id: queue.project_id, queue_ids: [queue.queue_id] })).stats[0]
      ?.completed_items

  test.skipIf(isMissing)('is kept when the queue is made, and changes in what is given alone', async () => {
    const project_id = reviews.app.newProject()
    const setUp = { reviewers_per_item: 2, reservation_minutes: 45, item_order: 'random' as const }
    const { id: queue_id } = await reviews.app.client.annotationQueues.create({ project_id, name: 'a', scorer_refs: [], ...setUp })
    expect((await reviews.app.client.annotationQueues.read({ project_id, queue_id })).queue).toMatchObject(setUp)
    const { queue } = await reviews.app.client.annotationQueues.update({ project_id, queue_id, reservation_minutes: 5 })
    expect(queue).toMatchObject({ ...setUp, reservation_minutes: 5, name: 'a' })
    const next = await reviews.app.client.annotationQueues.update({ project_id, queue_id, item_order: 'newest', reviewers_per_item: 1 })
    expect(next.queue).toMatchObject({ reviewers_per_item: 1, reservation_minutes: 5, item_order: 'newest' })
  })

  test.skipIf(isMissing)('an item is given to as many people as must review it, one after the other, and to nobody twice', async () => {
    const queue = await aQueue(1, { reviewers_per_item: 2 })
    expect([await claim(reviews.one, queue), await claim(reviews.two, queue)]).toEqual([[0], []])
    expect(await set(reviews.one, queue, 0, 'completed')).toMatchObject({ review_count: 1, own_state: 'completed' })
    expect([await completed(queue), await claim(reviews.one, queue), await claim(reviews.two, queue)]).toEqual([0, [], [0]])
    expect(await set(reviews.two, queue, 0, 'skipped')).toMatchObject({ review_count: 2, own_state: 'skipped' })
    expect([await completed(queue), await claim(await reviews.app.as('u3'), queue)]).toEqual([1, []])
  })

  test.skipIf(isMissing)('a review by another does not end a claim while more people are needed', async () => {
    const queue = await aQueue(1, { reviewers_per_item: 2 })
    expect(await claim(reviews.one, queue)).toEqual([0])
    await set(reviews.two, queue, 0, 'completed')
    expect([await claim(await reviews.app.as('u3'), queue), await claim(reviews.one, queue)]).toEqual([[], [0]])
  })

  test.skipIf(isMissing)('items count as completed by the number of people that is needed now', async () => {
    const queue = await aQueue(3, {})
    await set(reviews.one, queue, 0, 'completed')
    await set(reviews.two, queue, 0, 'completed')
    await set(reviews.one, queue, 1, 'completed')
    expect(await completed(queue)).toBe(2)
    await reviews.app.client.annotationQueues.update({ ...queue, reviewers_per_item: 2 })
    expect([await completed(queue), await claim(reviews.two, queue, { limit: 9 })]).toEqual([1, [1, 2]])
    await reviews.app.client.annotationQueues.update({ ...queue, reviewers_per_item: 1 })
    expect([await completed(queue), await claim(reviews.two, queue, { limit: 9 })]).toEqual([2, [2]])
  })

  test.skipIf(isMissing)('all items of a large queue are finished or opened, and those of no other', async () => {
    const queue = await aFilledQueue(reviews.app, { calls: 2, items: 2 })
    const other = await aFilledQueue(reviews.app, { calls: 1, items: 1 })
    for (const each of [queue, other]) await set(reviews.one, each, 0, 'completed')
    const { database } = reviews.app.stores
    const row = await database
      .selectFrom('annotation_items')
      .selectAll()
      .where('queue_id', '=', queue.queue_id)
      .where('review_count', '=', 1)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 2_500 }, (_, at) => ({ ...row, id: newId(), call_id: `${row.call_id}-${at}` }))
    for (let at = 0; at < rows.length; at += 500)
      await database
        .insertInto('annotation_items')
        .values(rows.slice(at, at + 500))
        .execute()
    await database
      .updateTable('annotation_queues')
      .set({ total_items: 2_502, completed_items: 2_501 })
      .where('id', '=', queue.queue_id)
      .execute()

    await reviews.app.client.annotationQueues.update({ ...queue, reviewers_per_item: 2 })
    expect([await completed(queue), await completed(other)]).toEqual([0, 1])
    expect(await itemsOf(queue, { filter: { is_completed: true }, limit: 9 })).toEqual([])
    await reviews.app.client.annotationQueues.update({ ...queue, reviewers_per_item: 1 })
    expect(await completed(queue)).toBe(2_501)
    expect(await claim(reviews.two, queue, { limit: 9 })).toEqual([1])
  })

  test.skipIf(isMissing)('where the server ended in between, the same request does the rest', async () => {
    const queue = await aQueue(2, { reviewers_per_item: 1 })
    await set(reviews.one, queue, 0, 'completed')
    await reviews.app.stores.database
      .updateTable('annotation_queues')
      .set({ reviewers_per_item: 2 })
      .where('id', '=', queue.queue_id)
      .execute()
    // Who reviews an item that was not looked at yet does not finish it a second time.
    await set(reviews.two, queue, 0, 'completed')
    expect(await completed(queue)).toBe(1)
    await reviews.app.stores.database
      .updateTable('annotation_queues')
      .set({ reviewers_per_item: 3 })
      .where('id', '=', queue.queue_id)
      .execute()
    await reviews.app.client.annotationQueues.update({ ...queue, reviewers_per_item: 3 })
    expect([await completed(queue), await claim(await reviews.app.as('u3'), queue, { limit: 9 })]).toEqual([0, [0, 1]])
  })

  test.skipIf(isMissing)('a claim that names no time holds for the reservation of the queue', async () => {
    const queue = await aQueue(1, { reservation_minutes: 2 })
    expect(await claim(reviews.one, queue)).toEqual([0])
    reviews.app.advance(119)
    expect(await claim(reviews.two, queue)).toEqual([])
    reviews.app.advance(1)
    expect(await claim(reviews.two, queue, { lease_seconds: 10 })).toEqual([0])
    reviews.app.advance(10)
    expect(await claim(reviews.one, queue)).toEqual([0])
  })

  test.skipIf(isMissing)('the items that were added last come first where the queue says so', async () => {
    const queue = await aQueue(3, { item_order: 'newest' })
    expect(await placesOf(queue, { sort_by: [{ field: 'queue_order', direction: 'asc' }] })).toEqual([2, 1, 0])
    expect(await placesOf(queue, { sort_by: [{ field: 'queue_order', direction: 'desc' }] })).toEqual([0, 1, 2])
    expect(await placesOf(queue, {})).toEqual([0, 1, 2])
    expect([await claim(reviews.one, queue), await claim(reviews.two, queue, { limit: 2 })]).toEqual([[2], [1, 0]])
  })

  test.skipIf(isMissing)('a random order is the same for everybody and every time, and not that of adding', async () => {
    const queue = await aQueue(30, { item_order: 'random' })
    const order = [{ field: 'queue_order', direction: 'asc' }]
    const places = await placesOf(queue, { sort_by: order })
    expect(places.toSorted((a, b) => a - b)).toEqual(queue.calls.map((_, at) => at))
    expect(places).not.toEqual(queue.calls.map((_, at) => at))
    const some = await itemsOf(queue, {
      sort_by: order,
      filter: { annotation_states: ['unstarted'] },
      include_position: true,
      offset: 3,
      limit: 2,
    })
    expect(some.map(({ call_id, position_in_queue }) => [queue.calls.indexOf(call_id), position_in_queue])).toEqual([
      [places[3], 4],
      [places[4], 5],
    ])
    expect([...(await claim(reviews.one, queue, { limit: 20 })), ...(await claim(reviews.two, queue, { limit: 20 }))]).toEqual(places)
  })

  sliceOfSuite({ isWhole: postgresUrl === undefined })
})
