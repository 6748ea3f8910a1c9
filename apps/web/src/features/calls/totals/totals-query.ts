import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { client } from '../../../lib/server/client.ts'
import type { CallsSearch } from '../calls-search.ts'
import { histogramBuckets } from '../histogram-buckets.ts'
import type { ListedCalls } from './known-traces.ts'
import { toTotalsRequest } from './least-totals.ts'

/** Traces that are listed; a filter of calls names no more. */
export const maxTraces = 1_000

/** The newest traces of the range whose sums are large enough. */
export function tracesQuery(project_id: string, { traces = {}, range = '7d' }: Pick<CallsSearch, 'traces' | 'range'>) {
  return queryOptions({
    queryKey: ['traces-by-totals', project_id, traces, range],
    queryFn: async ({ signal }) => {
      const { start } = histogramBuckets({ range, timezone: 'UTC' }, Date.now())
      const request = { project_id, start, ...toTotalsRequest(traces), limit: maxTraces }
      const found = await client.calls.traceTotals(request, { signal })
      return { ids: found.traces.map(({ trace_id }) => trace_id), hasMore: found.has_more }
    },
    // The pages of a list, its count and its new calls request the same traces.
    staleTime: 10_000,
  })
}

/** Loads the traces that an address requests. */
export function useListedCalls(project: string, search: CallsSearch): { listed: ListedCalls; isFailed: boolean; refetch: () => void } {
  const { data, isError, refetch } = useQuery({ ...tracesQuery(project, search), enabled: search.traces !== undefined })
  const listed = useMemo(() => ({ ...search, traceIds: search.traces && data?.ids }), [search, data])
  return { listed, isFailed: isError, refetch: () => void (search.traces && refetch()) }
}
