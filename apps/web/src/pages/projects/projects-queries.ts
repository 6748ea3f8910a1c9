import type { ListedProject } from '@heddle/core-api/types'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'

const pageSize = 50
/** If there is none yet, the user waits for the first. */
const waitingMs = 5_000

/** The projects that the key may read, in the order of their ids. Each page follows the last project of the one before. */
export function projectsQuery(contains: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ['projects', contains],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam: after, signal }) => client.projects.query({ contains: contains ?? null, after, limit: pageSize }, { signal }),
    getNextPageParam: ({ projects, has_more }: { projects: readonly ListedProject[]; has_more: boolean }) =>
      has_more ? projects.at(-1)?.id : undefined,
    refetchInterval: ({ state }) => (state.data?.pages.every(({ projects }) => projects.length === 0) ? waitingMs : false),
  })
}
