import { parseRef, type tracing } from '@heddle/core-api'
import type { ClientOf } from '@heddle/core-api/client'
import { queryOptions } from '@tanstack/react-query'

type Client = ClientOf<typeof tracing>

/** Begins the keys of all queries that a changed or added item changes. */
export const queuesKey = (project_id: string) => ['queues', project_id] as const

export type QueueItem = Awaited<ReturnType<Client['annotationQueues']['queryItems']>>['items'][number]

export const maxQueues = 200
export const maxItems = 1_000

/** The queues of a project, the newest first, with how much of each is done. */
export const queuesQuery = (client: Client, project_id: string) =>
  queryOptions({
    queryKey: queuesKey(project_id),
    queryFn: async ({ signal }) => {
      const queues = []
      for await (const queue of client.annotationQueues.streamQuery({ project_id, limit: maxQueues + 1 }, { signal })) queues.push(queue)
      const shown = queues.slice(0, maxQueues)
      const queue_ids = shown.map(({ id }) => id)
      const { stats } = shown.length > 0 ? await client.annotationQueues.stats({ project_id, queue_ids }, { signal }) : { stats: [] }
      return { queues: shown.map((queue, at) => ({ ...queue, stats: stats[at] })), hasMore: queues.length > maxQueues }
    },
  })

export const queueQuery = (client: Client, project_id: string, queue_id: string) =>
  queryOptions({
    queryKey: ['queue', project_id, queue_id],
    queryFn: async ({ signal }) => (await client.annotationQueues.read({ project_id, queue_id }, { signal })).queue,
  })

const inQueueOrder = [{ field: 'queue_order', direction: 'asc' as const }]
type ServiceFilter = Parameters<Client['annotationQueues']['queryItems']>[0]['filter']

/** The first items of a queue, in its order, with their positions. */
export const itemsQuery = (client: Client, project_id: string, queue_id: string, filter: ServiceFilter) =>
  queryOptions({
    queryKey: [...queuesKey(project_id), 'items', queue_id, filter],
    queryFn: async ({ signal }) => {
      const { items } = await client.annotationQueues.queryItems(
        { project_id, queue_id, filter, sort_by: inQueueOrder, limit: maxItems + 1, include_position: true },
        { signal },
      )
      return { items: items.slice(0, maxItems), hasMore: items.length > maxItems }
    },
  })

/** Where an item is in its queue, and which items of a filter are before and after it. */
export const besideQuery = (client: Client, project_id: string, queue_id: string, item: { item_id: string; filter: ServiceFilter }) =>
  queryOptions({
    queryKey: [...queuesKey(project_id), 'beside', queue_id, item],
    queryFn: ({ signal }) => client.annotationQueues.itemsBeside({ project_id, queue_id, ...item }, { signal }),
  })

export const itemQuery = (client: Client, project_id: string, queue_id: string, id: string) =>
  queryOptions({
    queryKey: [...queuesKey(project_id), 'item', queue_id, id],
    queryFn: async ({ signal }) =>
      (await client.annotationQueues.queryItems({ project_id, queue_id, filter: { id } }, { signal })).items[0] ?? null,
  })

export const queueStatsQuery = (client: Client, project_id: string, queue_id: string) =>
  queryOptions({
    queryKey: [...queuesKey(project_id), 'stats', queue_id],
    queryFn: async ({ signal }) => (await client.annotationQueues.stats({ project_id, queue_ids: [queue_id] }, { signal })).stats[0],
  })

/** The values of the annotation specs of a queue, with their names. Deleted specs and invalid references are omitted. */
export const specsQuery = (client: Client, refs: readonly string[]) =>
  queryOptions({
    queryKey: ['annotation-specs', refs],
    queryFn: async ({ signal }) => {
      const named = refs.flatMap((ref) => {
        const parsed = parseRef(ref)
        return parsed?.kind === 'object' ? [{ ref, object_id: parsed.name }] : []
      })
      if (named.length === 0) return []
      const { vals } = await client.refs.readBatch({ refs: named.map(({ ref }) => ref) }, { signal })
      return named.flatMap((one, at) => (vals[at] === null ? [] : [{ ...one, val: vals[at] as unknown }]))
    },
    staleTime: Infinity,
  })
