import type { TracingClient } from '../connect.ts'

const pageSize = 500

/** The annotation queues of a project, the oldest first. Notes the id of each in `ids`. */
export async function* queuesOf(client: TracingClient, project_id: string, ids: string[]): AsyncGenerator<object> {
  for await (const queue of client.annotationQueues.streamQuery({ project_id, sort_by: [{ field: 'created_at', direction: 'asc' }] })) {
    ids.push(queue.id)
    yield queue
  }
}

/** The items of some queues, in the order of each. */
export async function* itemsOf(client: TracingClient, project_id: string, queueIds: readonly string[]): AsyncGenerator<object> {
  for (const queue_id of queueIds) {
    for (let offset = 0; ; offset += pageSize) {
      const { items } = await client.annotationQueues.queryItems({ project_id, queue_id, limit: pageSize, offset })
      yield* items
      if (items.length < pageSize) break
    }
  }
}
