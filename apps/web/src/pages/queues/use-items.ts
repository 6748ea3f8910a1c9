import { useQuery } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { sessionQuery } from '../../app/session.ts'
import { useProject } from '../../app/use-project.ts'
import { type ItemFilter, toServiceFilter } from './item-filters.ts'
import { itemsQuery } from './queue-queries.ts'

/** The first items of a queue that a filter keeps, in the order of the queue. */
export function useItems(queue: string, filter: ItemFilter | undefined) {
  const { id } = useProject()
  const username = useQuery(sessionQuery).data?.username
  return useQuery({
    ...itemsQuery(client, id, queue, toServiceFilter(filter, username ?? '')),
    enabled: filter !== 'mine' || username !== undefined,
  })
}
