import type { CallsFilter } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import { stringifyJson } from '@heddle/json'
import { LRUCache } from 'lru-cache'
import { type CacheStats, lruStats } from '../../../cache-stats.ts'
import type { StartRange } from '../../../query/calls-query.ts'
import type { CallKey, CallsSelection } from '../calls-store.ts'

/** How far the pages of queries in the order of time reached, so that the next query need not read all calls. */
export interface PageRangeHints {
  of(project: string, selection: CallsSelection): PageRangeHint
  stats(): CacheStats[]
}

/** Where the page of one query may lie. */
export interface PageRangeHint {
  /** Ranges of time to try, one after the other. A page that is not full must be read again without them. */
  ranges: readonly StartRange[]
  /** To be called with the page that was found. */
  record(page: readonly CallKey[]): void
}

/** The first and the last start of a page. */
interface PageRange {
  first: Micros
  last: Micros
}

const maxQueries = 2_000
const maxQueryLength = 4_000
/** Lengths of a page by which a range exceeds the page: clients page through, and calls are not spread evenly. */
const overscan = 3
/** The same where only another query was recorded, which more calls may match. */
const overscanOfOthers = [3, 30]
/** Calls of a page from which the range of other queries is guessed. */
const minSampleCalls = 20
/** For a query whose range is not kept. */
const noHint: PageRangeHint = { ranges: [], record() {} }

/** Every query looks in all of time. */
export const noPageRangeHints: PageRangeHints = { of: () => noHint, stats: () => [] }

export function createPageRangeHints(): PageRangeHints {
  /** Null: the page was not full, so all calls were read for it, and would be again. */
  const reached = new LRUCache<string, { page: PageRange | null }>({ max: maxQueries })
  const latest = new LRUCache<string, PageRange>({ max: maxQueries })
  return {
    of(project, selection) {
      const query = queryKeyOf(project, selection)
      if (query === undefined) return noHint
      const direction = stringifyJson([project, isNewestFirst(selection)])
      const isOpen = !namesCalls(selection.filter)
      const known = reached.get(query)
      const another = known === undefined && isOpen ? latest.get(direction) : undefined
      const ranges = another ? overscanOfOthers.map((times) => rangeTo(another, times)) : known?.page ? [rangeTo(known.page, overscan)] : []
      return {
        ranges: ranges.map((end) => (isNewestFirst(selection) ? { from: end } : { until: end })),
        record(page) {
          const isFull = page.length > 0 && page.length === selection.limit
          const reach = isFull ? reachOf(page) : null
          reached.set(query, { page: reach })
          if (reach !== null && isOpen && page.length >= minSampleCalls) latest.set(direction, reach)
        },
      }
    },
    stats: () => [lruStats('calls.page_ranges', reached), lruStats('calls.latest_page_ranges', latest)],
  }
}

function reachOf(page: readonly CallKey[]): PageRange {
  const [first, last] = [page[0], page.at(-1)] as [CallKey, CallKey]
  return { first: first.started_micros, last: last.started_micros }
}

/** Where a range ends that exceeds a page by `times` its length. */
function rangeTo({ first, last }: PageRange, times: number): Micros {
  return last + times * (last - first)
}

/** A key for each query whose pages are in the order of time; where a page begins does not matter. */
function queryKeyOf(project: string, { filter, query, sort_by, expand_columns, limit }: CallsSelection): string | undefined {
  const first = sort_by?.[0]
  if (limit === null || (first !== undefined && first.field !== 'started_at')) return undefined
  const key = stringifyJson([project, filter, query, sort_by, expand_columns])
  return key.length > maxQueryLength ? undefined : key
}

/** True for a filter that the store answers by an index, or that few calls match. */
function namesCalls(filter: CallsFilter | null): boolean {
  const { call_ids, trace_ids, parent_ids, thread_ids, turn_ids } = filter ?? {}
  return [call_ids, trace_ids, parent_ids, thread_ids, turn_ids].some((ids) => (ids ?? []).length > 0)
}

function isNewestFirst({ sort_by }: CallsSelection): boolean {
  return sort_by?.[0]?.direction === 'desc'
}
