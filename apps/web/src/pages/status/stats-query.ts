import { isApiError } from '@heddle/core-api'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { type Reading, spansPerMinute } from './server-stats.ts'

export const refreshMs = 10_000

/** Null: the key may not see it. */
export const statsQuery = queryOptions({
  queryKey: ['server-stats'],
  queryFn: async ({ client: queries, queryKey, signal }): Promise<Reading | null> => {
    try {
      const stats = await client.service.stats({}, { signal })
      const now = { stats, readAtMs: performance.now() }
      return { ...now, spansPerMinute: spansPerMinute(queries.getQueryData<Reading | null>(queryKey) ?? undefined, now) }
    } catch (error) {
      if (isApiError(error) && error.status === 403) return null
      throw error
    }
  },
  refetchInterval: refreshMs,
})
