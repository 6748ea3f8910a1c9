import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestClient, type TestClient, type TestServer } from '../../../testing/start-test-app.ts'
import { aFilledQueue, dialects, type FilledQueue, type QueueApp, startQueueApp } from '../testing/queue-app.ts'

describe.each(dialects)('claims on $dialect', ({ postgresUrl }) => {
  const isMissing = postgresUrl === ''
  let app: QueueApp
  /** Another server over the same stores. */
  let other: TestServer
  let one: TestClient
  let two: TestClient
  beforeAll(async () => {
    if (isMissing) return
    app = await startQueueApp(postgresUrl)
    other = await app.anotherServer()
    one = await app.as('u1')
    two = await app.as('u2')
  })
  afterAll(() => (isMissing ? undefined : app.close()))

  /** Positions of the calls that a caller claims. */
  async function claim(client: TestClient, { project_id, queue_id, calls }: FilledQueue, terms: object = {}): Promise<number[]> {
    const { items } = await client.annotationQueues.claimItems({ project_id, queue_id, ...terms })
    return items.map(({ call_id }) => calls.indexOf(call_id))
  }
  async function set(client: TestClient, queue: FilledQueue, at: number, annotation_state: string): Promise<void> {
    const { items } = await client.annotationQueues.queryItems({ ...queue, filter: { call_id: queue.calls[at] ?? null } })
    await client.annotationQueues.updateProgress({ ...queue, item_id: items[0]?.id ?? '', annotation_state })
  }

  test.skipIf(isMissing)('are one item for ten minutes where nothing else is requested', async () => {
    const queue = await aFilledQueue(app, { calls: 3, items: 3 })
    const { items } = await one.annotationQueues.claimItems({ project_id: queue.project_id, queue_id: queue.queue_id })
    expect(items).toEqual([(await app.client.annotationQueues.queryItems({ ...queue, limit: 1 })).items[0]])
    expect(await claim(two, queue)).toEqual([1])
    app.advance(599)
    expect(await claim(await app.as('u3'), queue, { limit: 3 })).toEqual([2])
    app.advance(1)
    expect(await claim(await app.as('u4'), queue, { limit: 3 })).toEqual([0, 1])
  })

  test.skipIf(isMissing)('are the first items in the order of the queue, and none where none is left', async () => {
    const queue = await aFilledQueue(app, { calls: 5, items: 5 })
    expect(await claim(one, queue, { limit: 2 })).toEqual([0, 1])
    expect(await claim(two, queue, { limit: 100 })).toEqual([2, 3, 4])
    expect(await claim(await app.as('u3'), queue)).toEqual([])
  })

  test.skipIf(isMissing)('leave out what somebody completed or skipped, and what another annotator has in progress', async () => {
    const queue = await aFilledQueue(app, { calls: 5, items: 5 })
    await set(two, queue, 0, 'completed')
    await set(one, queue, 1, 'skipped')
    await set(two, queue, 2, 'in_progress')
    await set(one, queue, 3, 'in_progress')
    expect(await claim(one, queue, { limit: 100 })).toEqual([3, 4])
    expect(await claim(two, queue, { limit: 100 })).toEqual([2])
  })

  test.skipIf(isMissing)('of the caller come first, and last from now', async () => {
    const queue = await aFilledQueue(app, { calls: 4, items: 4 })
    await set(one, queue, 0, 'in_progress')
    expect(await claim(two, queue, { limit: 2, lease_seconds: 10 })).toEqual([1, 2])
    await set(await app.as('u3'), queue, 1, 'in_progress')
    app.advance(5)
    expect(await claim(two, queue, { limit: 2, lease_seconds: 10 })).toEqual([2, 3])
    app.advance(9)
    expect(await claim(one, queue, { limit: 4 })).toEqual([0])
    app.advance(1)
    expect(await claim(one, queue, { limit: 4 })).toEqual([0, 2, 3])
  })

  test.skipIf(isMissing)('end when their item is finished by anyone', async () => {
    const queue = await aFilledQueue(app, { calls: 3, items: 3 })
    expect(await claim(one, queue, { limit: 2 })).toEqual([0, 1])
    await set(one, queue, 0, 'completed')
    await set(two, queue, 1, 'skipped')
    expect(await claim(one, queue, { limit: 3 })).toEqual([2])
  })

  test.skipIf(isMissing)('are not needed for progress, and hold nobody up', async () => {
    const queue = await aFilledQueue(app, { calls: 1, items: 1 })
    expect(await claim(one, queue)).toEqual([0])
    await set(two, queue, 0, 'in_progress')
    expect(await claim(one, queue)).toEqual([])
    expect(await claim(two, queue)).toEqual([])
    app.advance(600)
    expect(await claim(two, queue)).toEqual([0])
  })

  test.skipIf(isMissing)('in an unknown, deleted or foreign queue are not found', async () => {
    const queue = await aFilledQueue(app, { calls: 1, items: 1 })
    await app.client.annotationQueues.delete(queue)
    const foreign = await aFilledQueue(app, { calls: 1, items: 1 })
    for (const queue_id of [queue.queue_id, foreign.queue_id, 'unknown', 'nul\0'])
      await expect(claim(one, { ...queue, queue_id })).rejects.toMatchObject({ status: 404, message: `Queue ${queue_id} not found` })
  })

  test.skipIf(isMissing)(
    'of 64 annotators on two servers give each item to one of them, and lose none',
    async () => {
      const queue = await aFilledQueue(app, { calls: 100, items: 100 })
      const done: number[] = []
      await Promise.all(
        Array.from({ length: 64 }, async (_, at) => {
          const { secret } = await app.identity.createKey({ name: `a${at}`, userId: `a${at}`, role: 'writer' })
          const client = createTestClient((at % 2 === 0 ? app : other).service, secret)
          for (;;) {
            const { items } = await client.annotationQueues.claimItems({ ...queue, limit: 1 + (at % 3) })
            if (items.length === 0) return
            for (const { id, call_id } of items) {
              done.push(queue.calls.indexOf(call_id))
              await client.annotationQueues.updateProgress({
                ...queue,
                item_id: id,
                annotation_state: at % 5 === 0 ? 'skipped' : 'completed',
              })
            }
          }
        }),
      )
      expect(done.toSorted((a, b) => a - b)).toEqual(queue.calls.map((_, at) => at))
      const { stats } = await app.client.annotationQueues.stats({ project_id: queue.project_id, queue_ids: [queue.queue_id] })
      expect(stats).toMatchObject([{ total_items: 100, completed_items: 100 }])
    },
    120_000,
  )
})
