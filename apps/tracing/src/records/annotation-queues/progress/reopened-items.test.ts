import { sliceOfSuite } from '@heddle/testing'
import { describe, expect, test } from 'vitest'
import type { TestClient } from '../../../testing/start-test-app.ts'
import { aFilledQueue, dialects, startReviews } from '../testing/queue-app.ts'

describe.each(dialects)('reopening on $dialect', ({ postgresUrl }) => {
  const reviews = startReviews(postgresUrl)
  const { isMissing } = reviews

  async function anItem(setUp: object = {}) {
    const { project_id, queue_id } = await aFilledQueue(reviews.app, { calls: 1, items: 1 })
    await reviews.app.client.annotationQueues.update({ project_id, queue_id, ...setUp })
    const { items } = await reviews.app.client.annotationQueues.queryItems({ project_id, queue_id })
    return { project_id, queue_id, item_id: items[0]?.id ?? '' }
  }
  type Place = Awaited<ReturnType<typeof anItem>>
  const set = async (client: TestClient, place: Place, annotation_state: string) =>
    (await client.annotationQueues.updateProgress({ ...place, annotation_state })).item
  const reopen = async (client: TestClient, place: Place) => (await client.annotationQueues.reopenItem(place)).item
  const completed = async ({ project_id, queue_id }: Place) =>
    (await reviews.app.client.annotationQueues.stats({ project_id, queue_ids: [queue_id] })).stats[0]?.completed_items
  const claimed = async (client: TestClient, place: Place) => (await client.annotationQueues.claimItems(place)).items.length

  test.skipIf(isMissing).each(['completed', 'skipped'])(
    'an item that was %s is in progress again, and can be ended again',
    async (state) => {
      const place = await anItem()
      const before = await set(reviews.one, place, state)
      expect([await completed(place), await claimed(reviews.one, place)]).toEqual([1, 0])
      const after = await reopen(reviews.one, place)
      expect(after).toEqual({ ...before, annotation_state: 'in_progress', own_state: 'in_progress', review_count: 0 })
      expect([await completed(place), await claimed(reviews.two, place), await claimed(reviews.one, place)]).toEqual([0, 0, 1])
      expect(await reopen(reviews.one, place)).toMatchObject({ own_state: 'in_progress', review_count: 0 })
      expect(await set(reviews.one, place, 'skipped')).toMatchObject({ own_state: 'skipped', review_count: 1 })
      expect(await completed(place)).toBe(1)
    },
  )

  test.skipIf(isMissing)('takes back the review of the caller alone', async () => {
    const place = await anItem({ reviewers_per_item: 2 })
    for (const client of [reviews.one, reviews.two, await reviews.app.as('u3')]) await set(client, place, 'completed')
    expect(await reopen(reviews.two, place)).toMatchObject({ review_count: 2, own_state: 'in_progress', annotator_user_id: 'u2' })
    expect(await completed(place)).toBe(1)
    expect(await reopen(reviews.one, place)).toMatchObject({ review_count: 1 })
    expect(await completed(place)).toBe(0)
    expect(await set(reviews.two, place, 'completed')).toMatchObject({ review_count: 2 })
    expect(await completed(place)).toBe(1)
  })

  test.skipIf(isMissing)('changes nothing for who has not ended the item, and updateProgress refuses the step as ever', async () => {
    const place = await anItem()
    expect(await reopen(reviews.one, place)).toMatchObject({ annotation_state: 'unstarted', own_state: 'unstarted', annotator_user_id: '' })
    await set(reviews.one, place, 'completed')
    expect(await reopen(reviews.two, place)).toMatchObject({
      annotation_state: 'completed',
      own_state: 'unstarted',
      annotator_user_id: 'u1',
    })
    for (const wrong of [{ item_id: 'unknown' }, { queue_id: 'unknown' }, { item_id: 'nul\0' }])
      await expect(reopen(reviews.one, { ...place, ...wrong })).rejects.toMatchObject({ status: 404 })
    await expect(reopen(await reviews.app.clientFor({ name: 'reader', role: 'reader' }), place)).rejects.toMatchObject({ status: 403 })
    await expect(set(reviews.one, place, 'in_progress')).rejects.toMatchObject({ status: 400 })
    expect(await completed(place)).toBe(1)
  })

  test.skipIf(isMissing)('is in the audit log', async () => {
    const place = await anItem()
    await set(reviews.one, place, 'completed')
    await reopen(reviews.one, place)
    const { entries } = await reviews.app.client.auditLog.query({ project_id: place.project_id })
    expect(entries).toMatchObject([{ operation: 'annotationQueues.reopenItem', outcome: 'succeeded', user_id: 'u1' }])
    expect(JSON.parse(entries[0]?.details ?? '')).toEqual({ queue_id: place.queue_id, item_id: place.item_id })
  })

  test.skipIf(isMissing)('items are found by who has a state of them, and by whether enough people have reviewed them', async () => {
    const queue = await aFilledQueue(reviews.app, { calls: 4, items: 4 })
    const { items } = await reviews.app.client.annotationQueues.queryItems(queue)
    const places = items.map(({ id }) => ({ project_id: queue.project_id, queue_id: queue.queue_id, item_id: id }))
    const [a, b, c] = places as [Place, Place, Place]
    await set(reviews.one, a, 'completed')
    await set(reviews.two, a, 'completed')
    await set(reviews.one, b, 'in_progress')
    await set(reviews.two, c, 'skipped')
    const found = async (filter: object) => {
      const { items: some } = await reviews.app.client.annotationQueues.queryItems({ ...queue, filter, include_position: true })
      return some.map(({ position_in_queue }) => position_in_queue)
    }
    expect([await found({ is_completed: true }), await found({ is_completed: false })]).toEqual([
      [1, 3],
      [2, 4],
    ])
    expect([await found({ annotated_by: 'u1' }), await found({ annotated_by: 'nobody' }), await found({ annotated_by: 'nul\0' })]).toEqual([
      [1, 2],
      [],
      [],
    ])
    expect(await found({ annotated_by: 'u2', is_completed: true, annotation_states: ['skipped'] })).toEqual([3])
  })

  sliceOfSuite({ isWhole: postgresUrl === undefined })
})
