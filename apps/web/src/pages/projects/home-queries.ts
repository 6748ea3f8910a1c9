import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { rangeMs, secondsOfAll, type TimeRange } from '../../lib/time/time-range.ts'
import { partsOfRange } from '../../features/charts/parts-of-range.ts'
import { trainingClient } from '../../features/training/training-queries.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import { readTraceParts } from './read-trace-parts.ts'
import { readSummary } from './read-summary.ts'

const waitingMs = 3_000
const latest = 5
const call_metrics = [
  { metric: 'call_count' as const },
  { metric: 'error_count' as const },
  { metric: 'latency_ms' as const, aggregations: [], percentiles: [50, 95] },
]

/** Whether there is a trace. Polled until the first one exists. */
export const hasTracesQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['has-traces', project_id],
    queryFn: async ({ signal }) => {
      const { count } = await client.calls.queryStats({ project_id, filter: { trace_roots_only: true }, limit: 1 }, { signal })
      return count > 0
    },
    refetchInterval: ({ state }) => (state.data === false ? waitingMs : false),
  })

async function readSummaryOf(project_id: string, { startMs, endMs }: { startMs: number; endMs?: number }, signal: AbortSignal) {
  const usage_metrics = [{ metric: 'total_cost' as const }, { metric: 'total_tokens' as const }]
  const time = { start: new Date(startMs).toISOString(), ...(endMs !== undefined && { end: new Date(endMs).toISOString() }) }
  const scope = { project_id, ...time, granularity: secondsOfAll, filter: { trace_roots_only: true } }
  return readSummary(await client.calls.stats({ ...scope, call_metrics, usage_metrics }, { signal }))
}

/** The traces of a range that ends now, in a few numbers. */
export const summaryQuery = (project_id: string, range: TimeRange) =>
  queryOptions({
    queryKey: ['project-summary', project_id, range],
    queryFn: ({ signal }) => readSummaryOf(project_id, { startMs: Date.now() - rangeMs[range] }, signal),
    staleTime: 30_000,
  })

/** The traces of the time as long as a range before it. */
export const summaryBeforeQuery = (project_id: string, range: TimeRange) =>
  queryOptions({
    queryKey: ['project-summary-before', project_id, range],
    queryFn: ({ signal }) => {
      const endMs = Date.now() - rangeMs[range]
      return readSummaryOf(project_id, { startMs: endMs - rangeMs[range], endMs }, signal)
    },
    staleTime: 30_000,
  })

/** The traces of the parts of a range that ends now. */
export const tracesOverTimeQuery = (project_id: string, { range, timezone }: { range: TimeRange; timezone: string }) =>
  queryOptions({
    queryKey: ['traces-over-time', project_id, range, timezone],
    queryFn: async ({ client: queries, signal }) => {
      const parts = await partsOfRange(queries, project_id, range)
      const request = { project_id, ...parts, timezone, call_metrics, filter: { trace_roots_only: true } }
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
