import type { TracingClient } from '../../lib/server/client.ts'

/**
 * Claims the next item that is neither completed nor claimed by another user; one that the caller has claimed already comes first. Null if none is
 * left.
 */
export async function claimNext(client: TracingClient, project_id: string, queue_id: string) {
  const { items } = await client.annotationQueues.claimItems({ project_id, queue_id, limit: 1 })
  return items[0] ?? null
}
