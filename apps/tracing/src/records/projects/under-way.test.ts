import { describe, expect, test } from 'vitest'
import { aStart, anEnd, newId } from '../../contract-tests/testing/call-builders.ts'
import type { TestClient } from '../../testing/start-test-app.ts'
import { aFilledQueue, dialects, startReviews } from '../annotation-queues/testing/queue-app.ts'

describe.each(dialects)('what is under way in a project on $dialect', ({ postgresUrl }) => {
  const reviews = startReviews(postgresUrl)
  const left = async (client: TestClient, project_id: string) => (await client.projects.readUnderWay({ project_id })).annotation_items
  const running = async (project_id: string) => (await reviews.one.projects.readUnderWay({ project_id })).evaluation_runs

  test.skipIf(reviews.isMissing)('items are left for a user until it has reviewed them, or enough others have', async () => {
    const { one, two } = reviews
    const { project_id, queue_id, calls } = await aFilledQueue(reviews.app, { calls: 3, items: 3 })
    await one.annotationQueues.update({ project_id, queue_id, reviewers_per_item: 2 })
    const single = await one.annotationQueues.create({ project_id, name: 'Once', scorer_refs: [] })
    await one.annotationQueues.addCalls({ project_id, queue_id: single.id, call_ids: calls.slice(0, 2), display_fields: [] })
    const itemsOf = async (id: string) => (await one.annotationQueues.queryItems({ project_id, queue_id: id })).items
    const [first, second] = await itemsOf(queue_id)
    const [once] = await itemsOf(single.id)
    const review = (client: TestClient, id: string, item: { id: string } | undefined, annotation_state: 'completed' | 'skipped') =>
      client.annotationQueues.updateProgress({ project_id, queue_id: id, item_id: item?.id ?? '', annotation_state })
    const both = async () => [await left(one, project_id), await left(two, project_id)]
    expect(await both()).toEqual([5, 5])
    await review(one, queue_id, first, 'completed')
    await review(one, queue_id, second, 'skipped')
    expect(await both()).toEqual([3, 5])
    await review(one, single.id, once, 'completed')
    expect(await both()).toEqual([2, 4])
    await review(two, queue_id, first, 'completed')
    expect(await both()).toEqual([2, 3])
    await reviews.app.client.annotationQueues.delete({ project_id, queue_id: single.id })
    expect(await both()).toEqual([1, 2])
    expect(await left(one, reviews.app.newProject())).toBe(0)
  })

  test.skipIf(reviews.isMissing)('runs of evaluations count that have not ended and began in the last 24 hours', async () => {
    const project_id = reviews.app.newProject()
    const hoursAgo = (hours: number) => new Date(1_772_323_200_000 - hours * 3_600_000).toISOString()
    const start = async (hours: number, op_name = 'Evaluation.evaluate') => {
      const id = newId()
      await reviews.one.calls.start({ start: aStart({ project_id, id, op_name, started_at: hoursAgo(hours) }) })
      return id
    }
    const ending = await start(1)
    await start(23)
    await start(25)
    await start(1, 'answer')
    const ofVersion = await start(2, `weave:///${project_id}/op/Evaluation.evaluate:abc`)
    expect(await running(project_id)).toBe(3)
    for (const id of [ending, ofVersion]) await reviews.one.calls.end({ end: anEnd({ project_id, id, ended_at: hoursAgo(0) }) })
    expect(await running(project_id)).toBe(1)
    expect(await running(reviews.app.newProject())).toBe(0)
  })
})
