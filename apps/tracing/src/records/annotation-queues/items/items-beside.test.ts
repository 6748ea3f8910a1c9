import { sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aFilledQueue, dialects, type FilledQueue, type Item, type QueueApp, startQueueApp } from '../testing/queue-app.ts'

const orders = ['oldest', 'newest', 'random'] as const

describe.each(dialects)('items beside an item on $dialect', ({ postgresUrl }) => {
  const isMissing = postgresUrl === ''
  let app: QueueApp
  beforeAll(async () => {
    if (!isMissing) app = await startQueueApp(postgresUrl)
  })
  afterAll(() => (isMissing ? undefined : app.close()))

  const inOrder = async ({ project_id, queue_id }: FilledQueue, filter: object | null = null) => {
    const sort_by = [{ field: 'queue_order', direction: 'asc' as const }]
    return (await app.client.annotationQueues.queryItems({ project_id, queue_id, filter, sort_by })).items
  }
  const beside = (queue: FilledQueue, item: Pick<Item, 'id'>, filter: object | null = null, client = app.client) =>
    client.annotationQueues.itemsBeside({ project_id: queue.project_id, queue_id: queue.queue_id, item_id: item.id, filter })
  const idsBeside = async (...place: Parameters<typeof beside>) => {
    const { position_in_queue, previous, next } = await beside(...place)
    return [position_in_queue, previous?.id, next?.id]
  }
  const set = ({ project_id, queue_id }: FilledQueue, { id }: Item, annotation_state: string, client = app.client) =>
    client.annotationQueues.updateProgress({ project_id, queue_id, item_id: id, annotation_state })

  test.skipIf(isMissing).each(orders)(
    'are the neighbours in the order of a queue of 2,500 items whose order is %s, and nothing at its ends',
    async (item_order) => {
      const queue = await aFilledQueue(app, { calls: 2_500, items: 2_500 })
      await app.client.annotationQueues.update({ project_id: queue.project_id, queue_id: queue.queue_id, item_order })
      const items = await inOrder(queue)
      expect(items).toHaveLength(2_500)
      for (const at of [0, 1, 998, 999, 1_000, 1_700, 2_498, 2_499])
        expect(await idsBeside(queue, items[at] as Item)).toEqual([at + 1, items[at - 1]?.id, items[at + 1]?.id])
      const [far] = await inOrder(queue, { id: items[2_400]?.id })
      await set(queue, far as Item, 'completed')
      expect(await idsBeside(queue, items[3] as Item, { annotation_states: ['completed'] })).toEqual([4, undefined, far?.id])
      expect(await idsBeside(queue, far as Item, { is_completed: false })).toEqual([2_401, items[2_399]?.id, items[2_401]?.id])
    },
  )

  test.skipIf(isMissing)('are those that the filter keeps, with what the caller has done to them', async () => {
    const queue = await aFilledQueue(app, { calls: 5, items: 5 })
    const [a, b, c, d, e] = (await inOrder(queue)) as [Item, Item, Item, Item, Item]
    const ada = await app.as('ada')
    await set(queue, a, 'skipped', ada)
    await set(queue, e, 'completed', ada)
    await set(queue, b, 'in_progress', await app.as('bob'))
    expect(await idsBeside(queue, c, { annotated_by: 'ada' })).toEqual([3, a.id, e.id])
    expect(await idsBeside(queue, c, { annotation_states: ['in_progress', 'completed'] })).toEqual([3, b.id, e.id])
    expect(await idsBeside(queue, c, { call_id: d.call_id })).toEqual([3, undefined, d.id])
    expect(await idsBeside(queue, c, { is_completed: true, annotated_by: 'bob' })).toEqual([3, undefined, undefined])
    expect(await idsBeside(queue, c, { annotated_by: 'nul\0' })).toEqual([3, undefined, undefined])
    expect(await beside(queue, b, null, ada)).toMatchObject({ previous: { own_state: 'skipped' }, next: { own_state: 'unstarted' } })
  })

  test.skipIf(isMissing)('are of the queue alone, and an item of another queue or project is not found', async () => {
    const [queue, other] = [await aFilledQueue(app, { calls: 1, items: 1 }), await aFilledQueue(app, { calls: 1, items: 1 })]
    const [own, foreign] = [(await inOrder(queue))[0] as Item, (await inOrder(other))[0] as Item]
    expect(await idsBeside(queue, own)).toEqual([1, undefined, undefined])
    for (const id of [foreign.id, 'unknown', 'nul\0'])
      await expect(beside(queue, { id })).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining(`item '${id}'`) })
    await expect(beside({ ...other, project_id: queue.project_id }, foreign)).rejects.toMatchObject({ code: 'not_found' })
  })

  sliceOfSuite({ isWhole: postgresUrl === undefined })
})
