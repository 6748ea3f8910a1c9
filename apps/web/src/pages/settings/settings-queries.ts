import { queryOptions } from '@tanstack/react-query'
import type { TracingClient } from '../../lib/server/client.ts'

export const maxPrices = 500

export const retentionQuery = (client: TracingClient, project_id: string) =>
  queryOptions({
    queryKey: ['retention', project_id],
    queryFn: async ({ signal }) => (await client.projects.readTtlSettings({ project_id }, { signal })).retention_days,
  })

export const limitsQuery = (client: TracingClient, project_id: string) =>
  queryOptions({
    queryKey: ['limits', project_id],
    queryFn: ({ signal }) => client.projects.readLimits({ project_id }, { signal }),
  })

/** The prices of a project, the newest first. The built-in ones are not among them. */
export const pricesQuery = (client: TracingClient, project_id: string) =>
  queryOptions({
    queryKey: ['prices', project_id],
    queryFn: async ({ signal }) => {
      const sort_by = [{ field: 'effective_date', direction: 'desc' as const }]
      const { results } = await client.costs.query({ project_id, sort_by, limit: maxPrices + 1 }, { signal })
      return { prices: results.slice(0, maxPrices), hasMore: results.length > maxPrices }
    },
  })

export const storageQuery = (client: TracingClient, project_id: string) =>
  queryOptions({
    queryKey: ['storage', project_id],
    queryFn: async ({ signal }) => {
      const [sizes, { count }] = await Promise.all([
        client.projects.stats({ project_id }, { signal }),
        client.calls.queryStats({ project_id }, { signal }),
      ])
      return { ...sizes, calls: count }
    },
  })

/** How often deletions that have not ended are read again. */
const progressMs = 2_000

/** Deletions of many records that have not ended. */
export const deletionsQuery = (client: TracingClient, project_id: string) =>
  queryOptions({
    queryKey: ['deletions', project_id],
    queryFn: async ({ signal }) => {
      const { deletions } = await client.projects.queryDeletions({ project_id }, { signal })
      return deletions.filter(({ ended_at }) => ended_at === null)
    },
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.length > 0 ? progressMs : false),
  })
