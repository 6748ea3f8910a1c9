import type { ProjectKey } from '@heddle/core-api/types'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'

const keysOfPage = 50

/** The keys of a project, the newest first. */
export const keysQuery = (project_id: string) =>
  infiniteQueryOptions({
    queryKey: ['keys', project_id],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam: after }) => client.projectKeys.query({ project_id, after, limit: keysOfPage }, { signal }),
    getNextPageParam: ({ keys, has_more }) => (has_more ? keys.at(-1)?.id : undefined),
  })

/** What works on in a project after its key has ended. */
export const madeByKeysQuery = (project_id: string) =>
  queryOptions({
    queryKey: [...keysQuery(project_id).queryKey, 'made'],
    queryFn: ({ signal }) => client.projectKeys.queryMade({ project_id }, { signal }),
  })

const keysOfRequest = 100
/** Keys from which the members of a project are made, the newest. */
export const maxKeysOfMembers = 1_000

/** The newest keys of a project in one list, and whether there are more. */
export const membersKeysQuery = (project_id: string) =>
  queryOptions({
    queryKey: [...keysQuery(project_id).queryKey, 'members'],
    async queryFn({ signal }) {
      const keys: ProjectKey[] = []
      for (let hasMore = true; hasMore;) {
        if (keys.length >= maxKeysOfMembers) return { keys, hasMore }
        const page = await client.projectKeys.query({ project_id, after: keys.at(-1)?.id ?? null, limit: keysOfRequest }, { signal })
        keys.push(...page.keys)
        hasMore = page.has_more
      }
      return { keys, hasMore: false }
    },
  })
