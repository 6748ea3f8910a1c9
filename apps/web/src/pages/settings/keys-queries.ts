import type { ProjectKey } from '@heddle/core-api'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '../../app/client.ts'

const keysOfPage = 50

/** The keys of a project, the newest first. */
export const keysQuery = (project_id: string) =>
  infiniteQueryOptions({
    queryKey: ['keys', project_id],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam: after }) => client.projectKeys.query({ project_id, after, limit: keysOfPage }, { signal }),
    getNextPageParam: ({ keys, has_more }) => (has_more ? keys.at(-1)?.id : undefined),
  })

/** Whether a key works at a time, in milliseconds. */
export function stateOfKey({ revoked_at, expires_at }: Pick<ProjectKey, 'revoked_at' | 'expires_at'>, now: number) {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'active'
}
