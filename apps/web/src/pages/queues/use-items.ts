import { useQuery } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { sessionQuery } from '../../lib/server/session.ts'
import { useProject } from '../../lib/use-project.ts'
import { type ItemFilter, toServiceFilter } from '../../features/queues/item-filters.ts'
import { itemsQuery } from '../../features/queues/queue-queries.ts'

/** The first items of a queue that a filter keeps, in the order of the queue. */
export function useItems(queue: string, filter: ItemFilter | undefined) {
  const { id } = useProject()
  const username = useQuery(sessionQuery).data?.username
  return useQuery({
    ...itemsQuery(client, id, queue, toServiceFilter(filter, username ?? '')),
    enabled: filter !== 'mine' || username !== undefined,
  })
}
