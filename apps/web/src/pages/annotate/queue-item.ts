import type { client } from '../../app/client.ts'

/** An item of a queue as the service returns it. */
export type QueueItem = Awaited<ReturnType<typeof client.annotationQueues.queryItems>>['items'][number]
