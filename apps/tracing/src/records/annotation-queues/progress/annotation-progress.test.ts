import { isApiError } from '@heddle/core-api'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../testing/start-test-app.ts'
import { act, type Action, countFinished, emptyQueue } from '../testing/annotation-model.ts'
import { aFilledQueue, dialects, type FilledQueue, type Item, type QueueApp, startQueueApp } from '../testing/queue-app.ts'

const users = ['u1', 'u2', 'u3']

describe.each(dialects)('progress of annotators on $dialect', ({ postgresUrl }) => {
  const isMissing = postgresUrl === ''
  let app: QueueApp
  const clients = new Map<string, TestClient>()
  beforeAll(async () => {
    if (isMissing) return
    app = await startQueueApp(postgresUrl)
    for (const user of users) clients.set(user, await app.as(user))
  })
  afterAll(() => (isMissing ? undefined : app.close()))

  const clientOf = (user: string) => clients.get(user) as TestClient
  const set = async (user: string, { project_id, queue_id }: FilledQueue, item_id: string, annotation_state: string): Promise<Item> =>
    (await clientOf(user).annotationQueues.updateProgress({ project_id, queue_id, item_id, annotation_state })).item
  const reopen = async (user: string, { project_id, queue_id }: FilledQueue, item_id: string): Promise<Item> =>
    (await clientOf(user).annotationQueues.reopenItem({ project_id, queue_id, item_id })).item
  async function aQueue(items: number) {
    const queue = await aFilledQueue(app, { calls: items, items })
    const found = (await app.client.annotationQueues.queryItems(queue)).items
    return { queue, ids: found.map(({ id }) => id), items: found }
  }

  test.skipIf(isMissing)('the annotator is the caller, and the item itself does not change', async () => {
    const { queue, items } = await aQueue(1)
    const [before] = items as [Item]
    const after = await set('u1', queue, before.id, 'in_progress')
    expect(after).toEqual({ ...before, annotation_state: 'in_progress', annotator_user_id: 'u1', own_state: 'in_progress' })
    expect((await app.client.annotationQueues.queryItems(queue)).items).toEqual([{ ...after, own_state: 'unstarted' }])
  })

  test.skipIf(isMissing)('the same state again changes nothing, and shows what was set last', async () => {
    const { queue, ids } = await aQueue(1)
    const [id = ''] = ids
    await set('u1', queue, id, 'skipped')
    const byOther = await set('u2', queue, id, 'completed')
    expect(byOther).toMatchObject({ annotation_state: 'completed', annotator_user_id: 'u2' })
    expect(await set('u1', queue, id, 'skipped')).toEqual({ ...byOther, own_state: 'skipped' })
  })

  test.skipIf(isMissing)('a state that nobody can set is refused before all else', async () => {
    const { queue } = await aQueue(0)
    for (const state of ['unstarted', 'done', ''])
      await expect(set('u1', queue, 'unknown', state)).rejects.toMatchObject({
        status: 400,
        message: `Invalid annotation_state '${state}'. Must be one of: completed, in_progress, skipped`,
      })
  })

  test.skipIf(isMissing)('an item that the queue does not have is refused with 400, after the step', async () => {
    const [one, other, foreign] = [await aQueue(1), await aFilledQueue(app, { calls: 0, items: 0 }), await aQueue(1)]
    const { queue, ids } = one
    const [id = ''] = ids
    const missing = (item: string, place: FilledQueue) => ({
      status: 400,
      message: `Queue item '${item}' not found in queue '${place.queue_id}'`,
    })
    for (const item of ['unknown', 'nul\0', foreign.ids[0] ?? ''])
      await expect(set('u1', queue, item, 'completed')).rejects.toMatchObject(missing(item, queue))
    for (const place of [
      { ...queue, queue_id: other.queue_id },
      { ...queue, queue_id: 'unknown' },
      { ...other, queue_id: queue.queue_id },
    ])
      await expect(set('u1', place, id, 'completed')).rejects.toMatchObject(missing(id, place))
    await set('u1', queue, id, 'completed')
    const step = { status: 400, message: expect.stringContaining('Invalid state transition') as string }
    await expect(set('u1', { ...queue, queue_id: 'unknown' }, id, 'skipped')).rejects.toMatchObject(step)
    await expect(set('u1', { ...queue, queue_id: 'unknown' }, id, 'completed')).rejects.toMatchObject({ status: 400 })
  })

  test.skipIf(isMissing)('continues in a deleted queue', async () => {
    const { queue, ids } = await aQueue(1)
    await app.client.annotationQueues.delete(queue)
    expect(await set('u1', queue, ids[0] ?? '', 'completed')).toMatchObject({ annotation_state: 'completed' })
  })

  test.skipIf(isMissing)('needs write access', async () => {
    const { queue, ids } = await aQueue(1)
    const { annotationQueues } = await app.clientFor({ name: 'reader', role: 'reader' })
    const [item_id = ''] = ids
    const completed = { ...queue, item_id, annotation_state: 'completed' }
    await expect(annotationQueues.updateProgress(completed)).rejects.toMatchObject({ status: 403 })
    await expect(annotationQueues.claimItems(queue)).rejects.toMatchObject({ status: 403 })
  })

  test.skipIf(isMissing)('of one item by one annotator at once ends in one of the states, and the others get an error', async () => {
    const { queue, ids } = await aQueue(1)
    const [id = ''] = ids
    const states = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 'completed' : 'skipped'))
    const ended = await Promise.allSettled(states.map((state) => set('u1', queue, id, state)))
    const [item] = (await app.client.annotationQueues.queryItems(queue)).items
    expect(ended.map(({ status }) => status)).toEqual(states.map((state) => (state === item?.annotation_state ? 'fulfilled' : 'rejected')))
    const { stats } = await app.client.annotationQueues.stats({ project_id: queue.project_id, queue_ids: [queue.queue_id] })
    expect(stats).toMatchObject([{ completed_items: 1 }])
  })

  test.skipIf(isMissing)(
    'whatever annotators set and claim, the server does what a plain model does',
    async () => {
      const action: fc.Arbitrary<Action> = fc.oneof(
        fc.record({
          kind: fc.constant('progress' as const),
          user: fc.constantFrom(...users),
          item: fc.nat(3),
          to: fc.constantFrom('in_progress' as const, 'completed' as const, 'skipped' as const, 'unstarted' as const),
        }),
        fc.record({ kind: fc.constant('reopen' as const), user: fc.constantFrom(...users), item: fc.nat(3) }),
        fc.record({
          kind: fc.constant('claim' as const),
          user: fc.constantFrom(...users),
          limit: fc.integer({ min: 1, max: 4 }),
          seconds: fc.constantFrom(10, 1000),
        }),
        fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(9, 500) }),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 30 }), fc.integer({ min: 1, max: 3 }), async (actions, reviewers) => {
          const { queue, ids } = await aQueue(4)
          await app.client.annotationQueues.update({ ...queue, reviewers_per_item: reviewers })
          const model = emptyQueue(4, reviewers)
          for (const each of actions) expect([each, await answerOf(queue, ids, each)]).toEqual([each, act(model, each)])
          const { items } = await app.client.annotationQueues.queryItems(queue)
          expect(items.map(({ annotation_state, annotator_user_id }) => [annotation_state, annotator_user_id])).toEqual(
            model.items.map(({ shown }) => shown),
          )
          const { stats } = await app.client.annotationQueues.stats({ project_id: queue.project_id, queue_ids: [queue.queue_id] })
          expect(stats).toMatchObject([{ total_items: 4, completed_items: countFinished(model) }])
        }),
        { numRuns: trials({ usual: postgresUrl === undefined ? 5 : 2, long: 1_000 }) },
      )
    },
    3_600_000,
  )

  async function answerOf(queue: FilledQueue, ids: readonly string[], action: Action): Promise<unknown> {
    switch (action.kind) {
      case 'wait':
        return app.advance(action.seconds)
      case 'claim': {
        const claim = { project_id: queue.project_id, queue_id: queue.queue_id, limit: action.limit, lease_seconds: action.seconds }
        const { items } = await clientOf(action.user).annotationQueues.claimItems(claim)
        return items.map(({ id }) => ids.indexOf(id))
      }
      case 'progress':
        return shownOrRefused(set(action.user, queue, ids[action.item] ?? '', action.to))
      case 'reopen':
        return shownOrRefused(reopen(action.user, queue, ids[action.item] ?? ''))
    }
  }

  function shownOrRefused(item: Promise<Item>): Promise<unknown> {
    return item
      .then(({ annotation_state, annotator_user_id }) => [annotation_state, annotator_user_id])
      .catch((error: unknown) => {
        if (isApiError(error)) return error.status
        throw error
      })
  }

  test.skipIf(isMissing)('the example of the contract', async () => {
    const { project_id, calls } = await aFilledQueue(app, { calls: 1, items: 0 })
    const { annotationQueues } = clientOf('u1')
    const { id: queue_id } = await annotationQueues.create({ project_id, name: 'Review', scorer_refs: [] })
    const [call = ''] = calls
    const add = (call_ids: string[]) => annotationQueues.addCalls({ project_id, queue_id, call_ids, display_fields: ['inputs.q'] })
    expect(await add([call, call, 'nope'])).toEqual({ added_count: 1, duplicates: 0 })
    expect(await add([call])).toEqual({ added_count: 0, duplicates: 1 })
    const [item] = (await annotationQueues.queryItems({ project_id, queue_id })).items
    const done = await annotationQueues.updateProgress({ project_id, queue_id, item_id: item?.id ?? '', annotation_state: 'completed' })
    expect(done.item).toMatchObject({ annotation_state: 'completed', annotator_user_id: 'u1' })
    expect(await annotationQueues.stats({ project_id, queue_ids: [queue_id] })).toEqual({
      stats: [{ queue_id, total_items: 1, completed_items: 1 }],
    })
  })
})
