import type { QueryOperation } from '@heddle/core-api'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { afterPosition, type Position } from './after-position.ts'
import { type Condition, toExpression } from './call-condition.ts'
import { addOwnColumns, addPaths, type CallRow, toCallRow } from './call-row.ts'
import type { CallsSearch } from './calls-search.ts'
import { chosenConditions } from './chosen-conditions.ts'
import { parseFilter, toFilterOperation } from './filter/parse-filter.ts'
import { filterOfTraces, isKnown, type ListedCalls } from './totals/known-traces.ts'
import { textFilter } from './text/text-filter.ts'
import { drawnSearch, seeksEarlier } from './drawn-search.ts'
import { histogramBuckets } from './histogram-buckets.ts'

const pageSize = 100
const mostCounted = 10_000
/** How often a page that is live asks for new calls. */
const liveMs = 3_000
interface CallsPage {
  rows: CallRow[]
  /** Fields that the calls have. */
  paths: string[]
  /** Further columns for which they have something. */
  ownColumns: string[]
}

/** What selects calls, as the API takes it. */
function selectionOf({ where, filter, text, level, status, review, ...ofTraces }: ListedCalls): {
  filter: { trace_roots_only: boolean; trace_ids?: string[] }
  conditions: Condition[]
  further: QueryOperation[]
} {
  const searched = text === undefined ? [] : [toFilterOperation(textFilter(text))]
  const further = [...furtherOf(filter), ...searched]
  const traces = { trace_roots_only: level !== 'all', ...filterOfTraces(ofTraces) }
  return { filter: traces, conditions: chosenConditions({ where, status, review }), further }
}

/** A filter that cannot be read selects all: the field where it stands says what is wrong with it. */
function furtherOf(filter: string | undefined): QueryOperation[] {
  try {
    return filter === undefined ? [] : [toFilterOperation(parseFilter(filter))]
  } catch {
    return []
  }
}

/** What selects the calls of a page beside its filter, as conditions alone. */
export function conditionsOf(search: CallsSearch): Condition[] {
  const { filter, conditions } = selectionOf(search)
  if ((conditions.length === 0 && search.filter === undefined && search.text === undefined) || !filter.trace_roots_only) return conditions
  return [...conditions, { path: 'parent_id', operator: '=', value: null }]
}

const newestFirst = [
  { field: 'started_at', direction: 'desc' as const },
  { field: 'id', direction: 'desc' as const },
]
const slowestFirst = [{ field: 'summary.weave.latency_ms', direction: 'desc' as const }, ...newestFirst]

/** Where a page begins: after a call, or so many calls after the first. */
type PageStart = Position | { offset: number }

/** The calls in pages, newest or slowest first. By time each page continues after the last call of the one before; those by latency count. */
export function callsQuery(project_id: string, search: ListedCalls) {
  const { filter, conditions, further } = selectionOf(search)
  const columns = search.columns ?? []
  const isSlowest = search.sort === 'slowest'
  return infiniteQueryOptions({
    queryKey: ['calls', project_id, filter, conditions, further, columns, isSlowest],
    enabled: isKnown(search),
    initialPageParam: undefined as PageStart | undefined,
    queryFn: async ({ pageParam, signal }): Promise<CallsPage> => {
      const start = pageParam && 'offset' in pageParam ? { position: undefined, ...pageParam } : { position: pageParam, offset: 0 }
      const query = afterPosition(toExpression(conditions, further), start.position)
      const sort_by = isSlowest ? slowestFirst : newestFirst
      const rows: CallRow[] = []
      const paths = new Set<string>()
      const ownColumns = new Set<string>()
      const which = { project_id, filter, ...(query && { query }) }
      const chosen = { ...which, sort_by, limit: pageSize, offset: start.offset, include_costs: true }
      for await (const call of client.calls.streamQuery(chosen, { signal })) {
        const row = toCallRow(call, columns)
        rows.push(row)
        addPaths(call, paths)
        addOwnColumns(row, ownColumns)
      }
      const listed = filter.trace_roots_only ? await withTotals(project_id, rows, signal) : rows
      return { rows: listed, paths: [...paths], ownColumns: [...ownColumns] }
    },
    getNextPageParam: ({ rows }, pages): PageStart | undefined => {
      if (isSlowest) return rows.length < pageSize ? undefined : { offset: pages.length * pageSize }
      const last = rows.length < pageSize ? undefined : rows.at(-1)
      return last && { startedAt: last.startedAt, id: last.id }
    },
    // Comparing all rows with those of before would take longer with each page.
    structuralSharing: false,
  })
}

/** Rows that stand for their traces, with what all calls of the trace come to. A trace that was deleted meanwhile keeps what its root says. */
async function withTotals(project_id: string, rows: readonly CallRow[], signal: AbortSignal): Promise<CallRow[]> {
  if (rows.length === 0) return []
  const trace_ids = [...new Set(rows.map(({ traceId }) => traceId))]
  const { traces } = await client.calls.traceTotals({ project_id, start: null, trace_ids, limit: trace_ids.length }, { signal })
  const totals = new Map(traces.map((trace) => [trace.trace_id, trace]))
  return rows.map((row) => {
    const total = totals.get(row.traceId)
    // Of several roots of a trace one stands for it.
    return total?.root_call_id === row.id ? { ...row, status: total.status, tokens: total.tokens || null, cost: total.cost } : row
  })
}

/** How many calls are selected, up to a limit. */
export function callCountQuery(project_id: string, search: ListedCalls) {
  const { filter, conditions, further } = selectionOf(search)
  const query = toExpression(conditions, further)
  return queryOptions({
    queryKey: ['call-count', project_id, filter, conditions, further],
    enabled: isKnown(search),
    queryFn: async ({ signal }) => {
      const which = { project_id, filter, ...(query && { query }) }
      return client.calls.queryStats({ ...which, limit: mostCounted }, { signal })
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
      const newest = { ...which, sort_by, limit: pageSize, columns: ['id', 'started_at'] }
      for await (const { id } of client.calls.streamQuery(newest, { signal })) ids.push(id)
      return ids
    },
    select: (ids) => ids.filter((id) => !known.has(id)).length,
    // The client itself waits as long as a busy server asks for; this is the pause after an answer. A page that is hidden does not ask.
    refetchInterval: liveMs,
    refetchIntervalInBackground: false,
  })
}

/** Calls and errors over the time of a range that ends now, in buckets of equal length. */
export function histogramQuery(project_id: string, search: ListedCalls) {
  const { filter, conditions, further } = selectionOf(drawnSearch(search))
  const query = toExpression(conditions, further)
  const range = search.range ?? '7d'
  return queryOptions({
    queryKey: ['calls-histogram', project_id, filter, conditions, further, range],
    enabled: isKnown(search),
    queryFn: ({ signal }) => {
      const call_metrics = [{ metric: 'call_count' as const }, { metric: 'error_count' as const }]
      const which = { project_id, filter, ...(query && { query }) }
      return client.calls.stats({ ...which, ...histogramBuckets(range, Date.now()), call_metrics }, { signal })
    },
    staleTime: 30_000,
  })
}

/** How many calls started before the range of the histogram, up to a limit. */
export function olderCallsQuery(project_id: string, search: ListedCalls, start: string | undefined) {
  const { filter, conditions, further } = selectionOf(drawnSearch(search))
  return queryOptions({
    queryKey: ['older-calls', project_id, filter, conditions, further, start],
    enabled: start !== undefined && seeksEarlier(search),
    queryFn: ({ signal }) => {
      const query = toExpression([...conditions, { path: 'started_at', operator: '<', value: start ?? '' }], further)
      return client.calls.queryStats({ project_id, filter, ...(query && { query }), limit: mostCounted }, { signal })
    },
  })
}
