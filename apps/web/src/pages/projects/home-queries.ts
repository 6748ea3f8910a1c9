import { queryOptions } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { rangeMs, secondsOfAll, secondsOfPart, startOf, type TimeRange } from '../../app/time-range.ts'
import { trainingClient } from '../training/training-queries.ts'
import type { ProjectName } from '../../app/use-project.ts'
import { readTraceParts } from './read-trace-parts.ts'
import { readSummary } from './read-summary.ts'

const waitingMs = 3_000
const latest = 5
const call_metrics = [
  { metric: 'call_count' as const },
  { metric: 'error_count' as const },
  { metric: 'latency_ms' as const, aggregations: [], percentiles: [50, 95] },
]

/** Whether there is a trace. Until the first is there, this is asked again and again. */
export const hasTracesQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['has-traces', project_id],
    queryFn: async ({ signal }) => {
      const { count } = await client.calls.queryStats({ project_id, filter: { trace_roots_only: true }, limit: 1 }, { signal })
      return count > 0
    },
    refetchInterval: ({ state }) => (state.data === false ? waitingMs : false),
  })

/** The traces of a range that ends now, in a few numbers. */
export const summaryQuery = (project_id: string, range: TimeRange) =>
  queryOptions({
    queryKey: ['project-summary', project_id, range],
    queryFn: async ({ signal }) => {
      const start = new Date(Date.now() - rangeMs[range]).toISOString()
      const usage_metrics = [{ metric: 'total_cost' as const }, { metric: 'total_tokens' as const }]
      const scope = { project_id, start, granularity: secondsOfAll, filter: { trace_roots_only: true } }
      return readSummary(await client.calls.stats({ ...scope, call_metrics, usage_metrics }, { signal }))
    },
    staleTime: 30_000,
  })

/** The traces of the parts of a range that ends now. */
export const tracesOverTimeQuery = (project_id: string, range: TimeRange) =>
  queryOptions({
    queryKey: ['traces-over-time', project_id, range],
    queryFn: async ({ signal }) => {
      const granularity = secondsOfPart(range)
      const request = { project_id, start: startOf(range), granularity, call_metrics, filter: { trace_roots_only: true } }
      return readTraceParts(await client.calls.stats(request, { signal }))
    },
    staleTime: 30_000,
  })

/** The newest training jobs. */
export const latestJobsQuery = ({ entity, project, id }: ProjectName) =>
  queryOptions({
    queryKey: ['latest-jobs', id],
    queryFn: async ({ signal }) => (await trainingClient.trainingJobs.list({ entity, project, limit: latest }, { signal })).data,
  })
