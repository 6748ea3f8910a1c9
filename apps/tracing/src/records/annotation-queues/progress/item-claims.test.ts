import { sliceOfSuite } from '@heddle/testing'
import { describe, expect, test } from 'vitest'
import type { TestClient } from '../../../testing/start-test-app.ts'
import { aFilledQueue, dialects, startReviews } from '../testing/queue-app.ts'

describe.each(dialects)('the claim of one item on $dialect', ({ postgresUrl }) => {
  const reviews = startReviews(postgresUrl)
  const { isMissing } = reviews

  /** A queue with one item, named as operations on items take it. */
  async function anItem() {
    const { project_id, queue_id } = await aFilledQueue(reviews.app, { calls: 1, items: 1 })
    const { items } = await reviews.app.client.annotationQueues.queryItems({ project_id, queue_id })
    return { project_id, queue_id, item_id: items[0]?.id ?? '' }
  }
  type Place = Awaited<ReturnType<typeof anItem>>
  const holder = async (client: TestClient, place: Place) => (await client.annotationQueues.queryItems(place)).items[0]?.claimed_by
  const claim = async (client: TestClient, place: Place, lease_seconds: number | null = null) =>
    (await client.annotationQueues.claimItem({ ...place, lease_seconds })).is_claimed

  test.skipIf(isMissing)('is seen by everybody with its end, and by nobody once it is over', async () => {
    const place = await anItem()
    const { is_claimed, item } = await reviews.one.annotationQueues.claimItem({ ...place, lease_seconds: 60 })
    expect([is_claimed, item.claimed_by, item.annotation_state]).toEqual([true, 'u1', 'unstarted'])
    const [seen] = (await reviews.two.annotationQueues.queryItems(place)).items
    expect(seen).toMatchObject({ claimed_by: 'u1', claimed_until: item.claimed_until })
    expect(Date.parse(seen?.claimed_until ?? '')).toBeGreaterThan(Date.parse(seen?.updated_at ?? ''))
    reviews.app.advance(60)
    expect((await reviews.two.annotationQueues.queryItems(place)).items).toMatchObject([{ claimed_by: null, claimed_until: null }])
  })

  test.skipIf(isMissing)('can be made longer by its holder, and by no one else', async () => {
    const place = await anItem()
    expect(await claim(reviews.one, place, 60)).toBe(true)
    reviews.app.advance(50)
    const refused = await reviews.two.annotationQueues.claimItem(place)
    expect([refused.is_claimed, refused.item.claimed_by]).toEqual([false, 'u1'])
    expect(await claim(reviews.one, place, 60)).toBe(true)
    reviews.app.advance(50)
    expect([await claim(reviews.two, place), await holder(reviews.two, place)]).toEqual([false, 'u1'])
    reviews.app.advance(10)
    expect([await claim(reviews.two, place), await claim(reviews.one, place), await holder(reviews.one, place)]).toEqual([
      true,
      false,
      'u2',
    ])
  })

  test.skipIf(isMissing)('holds for the reservation of the queue where it names no time', async () => {
    const place = await anItem()
    await reviews.app.client.annotationQueues.update({ ...place, reservation_minutes: 2 })
    expect(await claim(reviews.one, place)).toBe(true)
    reviews.app.advance(119)
    expect(await holder(reviews.two, place)).toBe('u1')
    reviews.app.advance(1)
    expect(await holder(reviews.two, place)).toBeNull()
  })

  test.skipIf(isMissing)('is not given where the item is completed, reviewed by the caller, or in progress with another', async () => {
    const place = await anItem()
    const set = (client: TestClient, annotation_state: string) => client.annotationQueues.updateProgress({ ...place, annotation_state })
    await reviews.app.client.annotationQueues.update({ ...place, reviewers_per_item: 3 })
    await set(reviews.one, 'in_progress')
    expect([await claim(reviews.two, place), await claim(reviews.one, place)]).toEqual([false, true])
    expect((await set(reviews.one, 'completed')).item).toMatchObject({ claimed_by: null, claimed_until: null })
    expect([await claim(reviews.one, place), await claim(reviews.two, place)]).toEqual([false, true])
    await reviews.app.client.annotationQueues.update({ ...place, reviewers_per_item: 1 })
    expect([await claim(reviews.two, place), await holder(reviews.two, place)]).toEqual([false, null])
  })

  test.skipIf(isMissing)('is given back by its holder alone', async () => {
    const place = await anItem()
    await claim(reviews.one, place)
    expect((await reviews.two.annotationQueues.releaseItem(place)).item.claimed_by).toBe('u1')
    expect((await reviews.one.annotationQueues.releaseItem(place)).item).toMatchObject({ claimed_by: null, claimed_until: null })
    expect([await claim(reviews.two, place), await holder(reviews.one, place)]).toEqual([true, 'u2'])
  })

  test.skipIf(isMissing)('needs an item of the queue, and write access', async () => {
    const [place, other] = [await anItem(), await anItem()]
    const reader = await reviews.app.clientFor({ name: 'reader', role: 'reader' })
    await expect(claim(reader, place)).rejects.toMatchObject({ status: 403 })
    await expect(reader.annotationQueues.releaseItem(place)).rejects.toMatchObject({ status: 403 })
    for (const item_id of [other.item_id, 'unknown', 'nul\0']) {
      const missing = { status: 404, message: `Queue item '${item_id}' not found in queue '${place.queue_id}'` }
      await expect(claim(reviews.one, { ...place, item_id })).rejects.toMatchObject(missing)
      await expect(reviews.one.annotationQueues.releaseItem({ ...place, item_id })).rejects.toMatchObject(missing)
    }
    await reviews.app.client.annotationQueues.delete(place)
    await expect(claim(reviews.one, place)).rejects.toMatchObject({ status: 404 })
  })

  test.skipIf(isMissing)('goes to one of many who ask at once', async () => {
    const place = await anItem()
    const clients = await Promise.all(Array.from({ length: 8 }, (_, at) => reviews.app.as(`many-${at}`)))
    const claimed = await Promise.all(clients.map((client) => claim(client, place)))
    expect(claimed.filter(Boolean)).toHaveLength(1)
    expect(await holder(reviews.one, place)).toBe(`many-${claimed.indexOf(true)}`)
  })

  sliceOfSuite({ isWhole: postgresUrl === undefined })
})
