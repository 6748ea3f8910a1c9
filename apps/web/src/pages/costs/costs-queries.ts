import { queryOptions } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { secondsOfPart, startOf, type TimeRange } from '../../app/time-range.ts'
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

/** Tokens and costs of a range over time. */
export const costsOverTimeQuery = (project_id: string, range: TimeRange) =>
  queryOptions({
    queryKey: ['costs-over-time', project_id, range],
    queryFn: async ({ signal }) => {
      const usage_metrics = [{ metric: 'total_cost' as const }, { metric: 'input_tokens' as const }, { metric: 'output_tokens' as const }]
      const granularity = secondsOfPart(range)
      const request = { project_id, start: startOf(range), granularity, usage_metrics, filter: { trace_roots_only: true } }
      return readCostBuckets(await client.calls.stats(request, { signal }))
    },
    staleTime: 30_000,
  })
