import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { type Reading, spansPerMinute } from './server-stats.ts'
import { nullIfForbidden } from '../../lib/server/is-forbidden.ts'

export const refreshMs = 10_000

/** Null: the key may not see it. */
export const statsQuery = queryOptions({
  queryKey: ['server-stats'],
  queryFn: async ({ client: queries, queryKey, signal }): Promise<Reading | null> => {
    const stats = await nullIfForbidden(client.service.stats({}, { signal }))
    if (stats === null) return null
    const now = { stats, readAtMs: performance.now() }
    return { ...now, spansPerMinute: spansPerMinute(queries.getQueryData<Reading | null>(queryKey) ?? undefined, now) }
  },
  refetchInterval: refreshMs,
})
