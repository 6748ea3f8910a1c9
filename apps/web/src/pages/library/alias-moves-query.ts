import type { tracing } from '@heddle/core-api'
import type { ClientOf } from '@heddle/core-api/client'
import { infiniteQueryOptions } from '@tanstack/react-query'

const movesOfPage = 50

/** Where the aliases of an object were pointed, the newest first, fifty at a time. */
export const aliasMovesQuery = (client: ClientOf<typeof tracing>, { id }: { id: string }, name: string) =>
  infiniteQueryOptions({
    queryKey: ['alias-moves', id, name],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam: offset }) =>
      client.objects.aliasHistory({ project_id: id, object_id: name, limit: movesOfPage, offset }, { signal }),
    getNextPageParam: ({ has_more }, pages) => (has_more ? pages.length * movesOfPage : undefined),
  })
