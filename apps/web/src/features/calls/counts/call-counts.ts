import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../lib/server/client.ts'
import { toExpression } from '../../filter/call-condition.ts'
import { callsKey, selectionOf } from '../calls-queries.ts'
import { drawnSearch, seeksEarlier } from '../drawn-search.ts'
import { numberAt } from '../../charts/stats-bucket.ts'
import { finerBuckets, histogramBuckets } from '../histogram-buckets.ts'
import { isKnown, type ListedCalls } from '../totals/known-traces.ts'

/** Calls that a count counts. */
const maxCounted = 10_000
/** Polling interval of a live page. */
const liveMs = 3_000
/** New calls that are counted. */
const maxNew = 100

/** How many calls are selected, up to a limit. */
export function callCountQuery(project_id: string, search: ListedCalls) {
  const { filter, conditions, further } = selectionOf(search)
  const query = toExpression(conditions, further)
  return queryOptions({
    queryKey: [...callsKey(project_id), 'count', filter, conditions, further],
    enabled: isKnown(search),
    queryFn: async ({ signal }) => {
      const which = { project_id, filter, ...(query && { query }) }
      return client.calls.queryStats({ ...which, limit: maxCounted }, { signal })
    },
  })
}

/** The newest calls that are selected and are not among these. */
export function newCallsQuery(
  project_id: string,
  search: ListedCalls,
  { known, isEnabled }: { known: ReadonlySet<string>; isEnabled: boolean },
) {
  const { filter, conditions, further } = selectionOf(search)
  const query = toExpression(conditions, further)
  return queryOptions({
    queryKey: ['new-calls', project_id, filter, conditions, further],
    enabled: isEnabled && isKnown(search),
    queryFn: async ({ signal }) => {
      const ids: string[] = []
      const sort_by = [{ field: 'started_at', direction: 'desc' as const }]
      const which = { project_id, filter, ...(query && { query }) }
      const newest = { ...which, sort_by, limit: maxNew, columns: ['id', 'started_at'] }
      for await (const { id } of client.calls.streamQuery(newest, { signal })) ids.push(id)
      return ids
    },
    select: (ids) => ids.filter((id) => !known.has(id)).length,
    // The client itself waits as long as a busy server requests; this is the pause after an answer. A hidden page does not poll.
    refetchInterval: liveMs,
    refetchIntervalInBackground: false,
  })
}

/** Calls and errors over the time of a range that ends now, in parts of it in a time zone. Where none is chosen, they begin with the first call of a week. */
export function histogramQuery(project_id: string, { listed: search, timezone }: { listed: ListedCalls; timezone: string }) {
  const { filter, conditions, further } = selectionOf(drawnSearch(search))
  const query = toExpression(conditions, further)
  const range = rangeOf(search)
  return queryOptions({
    queryKey: [...callsKey(project_id), 'histogram', filter, conditions, further, search.range, timezone],
    enabled: isKnown(search),
    queryFn: async ({ signal }) => {
      const call_metrics = [{ metric: 'call_count' as const }, { metric: 'error_count' as const }]
      const which = { project_id, filter, ...(query && { query }) }
      const read = (buckets: { start: string; granularity: number }) =>
        client.calls.stats({ ...which, timezone, ...buckets, call_metrics }, { signal })
      let answer = await read(histogramBuckets({ range, timezone }, Date.now()))
      while (search.range === undefined) {
        const counted = answer.call_buckets.map((bucket) => ({
          startedAt: String(bucket['timestamp']),
          calls: numberAt(bucket, 'sum_call_count') ?? 0,
        }))
        const finer = finerBuckets(counted, answer.granularity, Date.now())
        if (finer === undefined) break
        answer = await read(finer)
      }
      return answer
    },
    staleTime: 30_000,
  })
}

const rangeOf = ({ range = '7d' }: ListedCalls) => range

/** How many calls started before the range of the histogram, up to a limit. */
export function olderCallsQuery(project_id: string, { listed: search, timezone }: { listed: ListedCalls; timezone: string }) {
  const { filter, conditions, further } = selectionOf(drawnSearch(search))
  // Computed here, since the histogram would have to be read first.
  const { start } = histogramBuckets({ range: rangeOf(search), timezone }, Date.now())
  return queryOptions({
    queryKey: ['older-calls', project_id, filter, conditions, further, start],
    enabled: seeksEarlier(search),
    queryFn: ({ signal }) => {
      const query = toExpression([...conditions, { path: 'started_at', operator: '<', value: start }], further)
      return client.calls.queryStats({ project_id, filter, ...(query && { query }), limit: maxCounted }, { signal })
    },
  })
}
