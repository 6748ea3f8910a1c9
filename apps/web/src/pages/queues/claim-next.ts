import type { TracingClient } from '../../app/client.ts'

/** Long enough to judge an item, short enough that an item that was left is not kept from others for long. */
export const claimSeconds = 600

/** Claims the next item that nobody has done or has; one that the caller has claimed already comes first. Null where none is left. */
export async function claimNext(client: TracingClient, project_id: string, queue_id: string) {
  const { items } = await client.annotationQueues.claimItems({ project_id, queue_id, limit: 1, lease_seconds: claimSeconds })
  return items[0] ?? null
}
