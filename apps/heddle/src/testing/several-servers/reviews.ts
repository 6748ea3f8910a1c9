import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { TracingClient } from '../../connect.ts'
import { untilAnswered, type Work } from './work.ts'

const project_id = 'killed/reviews'
const reviewers = 3

/** Reviewers who share a queue, to which calls are added meanwhile: each item is completed by one of them. */
export async function reviews(url: string, client: TracingClient): Promise<Work> {
  const { id: queue_id } = await client.annotationQueues.create({ project_id, name: 'Review', scorer_refs: [] })
  const people = await Promise.all(Array.from({ length: reviewers }, (_, at) => aReviewer(url, client, `reviewer-${at}`)))
  const completed = new Map<string, Set<number>>()
  const added = new Set<string>()

  async function addCalls(): Promise<void> {
    const calls = Array.from({ length: 3 }, aCall)
    await untilAnswered(() => client.calls.complete({ entity: 'killed', project: 'reviews', batch: calls }))
    const call_ids = calls.map(({ id }) => id)
    await untilAnswered(() => client.annotationQueues.addCalls({ project_id, queue_id, call_ids, display_fields: [] }))
    for (const id of call_ids) added.add(id)
  }

  /** Returns how many items the reviewer has completed. */
  async function review(person: number): Promise<number> {
    const { annotationQueues } = people[person] ?? client
    const { items } = await untilAnswered(() => annotationQueues.claimItems({ project_id, queue_id, limit: 2 }))
    for (const { id, call_id } of items) {
      await untilAnswered(() => annotationQueues.updateProgress({ project_id, queue_id, item_id: id, annotation_state: 'completed' }))
      completed.set(call_id, (completed.get(call_id) ?? new Set()).add(person))
    }
    return items.length
  }

  const everyone = () => Promise.all(people.map((_, person) => review(person)))
  return {
    name: 'queues',
    async step() {
      await addCalls()
      await everyone()
    },
    async faults() {
      while ((await everyone()).some((count) => count > 0));
      const { items } = await client.annotationQueues.queryItems({ project_id, queue_id, limit: 10_000 })
      return [
        ...items.filter(({ annotation_state }) => annotation_state !== 'completed').map(({ id }) => `item ${id} was not reviewed`),
        ...[...completed].filter(([, by]) => by.size > 1).map(([id]) => `call ${id} was reviewed by several`),
        ...[...added]
          .filter((id) => items.filter(({ call_id }) => call_id === id).length !== 1)
          .map((id) => `call ${id} is not queued once`),
      ]
    },
  }
}

async function aReviewer(url: string, client: TracingClient, name: string): Promise<TracingClient> {
  const { secret } = await client.projectKeys.create({ project_id, name, role: 'writer', user_id: name })
  return createClient({ baseUrl: url, apiKey: secret, contract: tracing, retries: 4 })
}

function aCall() {
  const at = new Date().toISOString()
  const id = randomUUID()
  return {
    project_id,
    id,
    trace_id: id,
    op_name: 'reviewed',
    started_at: at,
    ended_at: at,
    attributes: {},
    inputs: {},
    output: 1,
    summary: {},
  }
}
