import type { QueryOperation } from '@heddle/core-api'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { afterRequests } from '../../lib/code/after-requests.ts'
import { client, exactClient } from '../../lib/server/client.ts'
import { charactersForCell } from '../../lib/texts/to-text.ts'
import { afterPosition, type Position } from './after-position.ts'
import { type Condition, toExpression } from '../filter/call-condition.ts'
import type { CallRow } from './call-row.ts'
import type { CallsSearch } from './calls-search.ts'
import { chosenConditions } from './chosen-conditions.ts'
import { parseCallsFilter } from '../filter/calls-filter.ts'
import { toFilterOperation } from '../filter/parse-filter.ts'
import { filterOfTraces, isKnown, type ListedCalls } from './totals/known-traces.ts'
import { rowsOfTraces } from './totals/rows-of-traces.ts'
import { textFilter } from './conditions/text-filter.ts'

const pageSize = 100

interface CallsPage {
  rows: CallRow[]
  /** Fields that the calls have. */
  paths: string[]
  /** Further columns for which they have something. */
  ownColumns: string[]
}

/** What selects calls, as the API takes it. */
export function selectionOf({ where, filter, text, level, status, review, ...ofTraces }: ListedCalls): {
  filter: { trace_roots_only: boolean; trace_ids?: string[] }
  conditions: Condition[]
  further: QueryOperation[]
} {
  const searched = text === undefined ? [] : [toFilterOperation(textFilter(text))]
  const further = [...furtherOf(filter), ...searched]
  const traces = { trace_roots_only: level !== 'all', ...filterOfTraces(ofTraces) }
  return { filter: traces, conditions: chosenConditions({ where, status, review }), further }
}

/** An invalid filter selects all calls: its field reports the problem. */
function furtherOf(filter: string | undefined): QueryOperation[] {
  try {
    return filter === undefined ? [] : [toFilterOperation(parseCallsFilter(filter))]
  } catch {
    return []
  }
}

const newestFirst = [
  { field: 'started_at', direction: 'desc' as const },
  { field: 'id', direction: 'desc' as const },
]
const slowestFirst = [{ field: 'summary.weave.latency_ms', direction: 'desc' as const }, ...newestFirst]

export const orderOf = ({ sort }: Pick<CallsSearch, 'sort'>) => (sort === 'slowest' ? slowestFirst : newestFirst)

/** Begins the keys of the listed calls, their count and their histogram. */
export const callsKey = (project_id: string) => ['calls', project_id] as const

/** Where a page begins: after a call, or so many calls after the first. */
type PageStart = Position | { offset: number }

/** The calls in pages, newest or slowest first. By time each page continues after the last call of the one before; those by latency count. */
export function callsQuery(project_id: string, search: ListedCalls) {
  const { filter, conditions, further } = selectionOf(search)
  const columns = search.columns ?? []
  const isSlowest = search.sort === 'slowest'
  return infiniteQueryOptions({
    queryKey: [...callsKey(project_id), filter, conditions, further, columns, isSlowest],
    enabled: isKnown(search),
    initialPageParam: undefined as PageStart | undefined,
    queryFn: async ({ pageParam, signal }): Promise<CallsPage> => {
      const start = pageParam && 'offset' in pageParam ? { position: undefined, ...pageParam } : { position: pageParam, offset: 0 }
      const query = afterPosition(toExpression(conditions, further), start.position)
      // Loaded while the server answers. Without the texts, rows show values as JSON.
      const rowReader = afterRequests().then(() => import('./call-row.ts'))
      rowReader.catch(() => undefined)
      const textReader = afterRequests().then(() => import('./texts-of-call.ts').catch(() => undefined))
      const sort_by = orderOf(search)
      const rows: CallRow[] = []
      const paths = new Set<string>()
      const ownColumns = new Set<string>()
      const which = { project_id, filter, ...(query && { query }) }
      const chosen = { ...which, sort_by, limit: pageSize, offset: start.offset, include_costs: true, max_text_length: charactersForCell }
      for await (const call of exactClient.calls.streamQuery(chosen, { signal })) {
        const { toCallRow, addPaths, addOwnColumns } = await rowReader
        const row = { ...toCallRow(call, columns), ...(await textReader)?.textsOfCall(call) }
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

/** Rows of root calls, with the totals of the traces that they represent. */
async function withTotals(project_id: string, rows: readonly CallRow[], signal: AbortSignal): Promise<CallRow[]> {
  if (rows.length === 0) return []
  const trace_ids = [...new Set(rows.map(({ traceId }) => traceId))]
  const { traces } = await client.calls.traceTotals({ project_id, start: null, trace_ids, limit: trace_ids.length }, { signal })
  return rowsOfTraces(rows, traces)
}
