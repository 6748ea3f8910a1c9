import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { rangeMs, startOf, type TimeRange } from '../../lib/time/time-range.ts'
import { partsOfRange } from '../charts/parts-of-range.ts'
import type { Grouping } from './costs-search.ts'
import { readCostBuckets } from './read-cost-buckets.ts'

const maxGroups = 200

/** Tokens and costs of a range by group, those with the most tokens. */
export const usageTotalsQuery = (project_id: string, { range, by }: { range: TimeRange; by: Grouping }) =>
  queryOptions({
    queryKey: ['usage-totals', project_id, range, by],
    queryFn: async ({ signal }) => {
      const start = startOf(range)
      const totals = await client.calls.usageTotals({ project_id, start, group_by: by, limit: maxGroups }, { signal })
      return { ...totals, start }
    },
    staleTime: 30_000,
  })

/** The same of the time as long as a range before it, by group. */
export const usageBeforeQuery = (project_id: string, { range, by }: { range: TimeRange; by: Grouping }) =>
  queryOptions({
    queryKey: ['usage-before', project_id, range, by],
    queryFn: async ({ signal }) => {
      const end = startOf(range)
      const start = new Date(Date.parse(end) - rangeMs[range]).toISOString()
      const { groups } = await client.calls.usageTotals({ project_id, start, end, group_by: by, limit: maxGroups }, { signal })
      return new Map(groups.map((group) => [group.key, group]))
    },
    staleTime: 30_000,
    structuralSharing: false,
  })

/** Tokens and costs of a range over time. */
export const costsOverTimeQuery = (project_id: string, { range, timezone }: { range: TimeRange; timezone: string }) =>
  queryOptions({
    queryKey: ['costs-over-time', project_id, range, timezone],
    queryFn: async ({ client: queries, signal }) => {
      const usage_metrics = [{ metric: 'total_cost' as const }, { metric: 'total_tokens' as const }]
      const parts = await partsOfRange(queries, project_id, range)
      const request = { project_id, ...parts, timezone, usage_metrics, filter: { trace_roots_only: true } }
      return readCostBuckets(await client.calls.stats(request, { signal }))
    },
    staleTime: 30_000,
  })
