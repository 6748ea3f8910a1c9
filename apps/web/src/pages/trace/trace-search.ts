import { textOf, wordOf } from '../../lib/search.ts'
import { type DetailsTab, detailsTabs } from '../../features/calls/details-tabs.ts'
import { type TraceView, traceViews } from '../../features/trace/trace-views.ts'
import { type CallsSearch, callsSearch, listOf } from '../../features/calls/calls-search.ts'

/** Search parameters of a trace. */
export interface TraceSearch {
  /** The call that is shown next to the tree. Default: the call in the address. */
  selected?: string | undefined
  tab?: DetailsTab | undefined
  /** The view next to the call. Default: the tree with its timeline. */
  view?: TraceView | undefined
  /** A part of the names of the calls that the tree shows. */
  find?: string | undefined
  /** The list that the call was opened from. */
  list?: CallsSearch | undefined
}

export function traceSearch(search: Record<string, unknown>): TraceSearch {
  return {
    selected: textOf(search, 'selected'),
    tab: wordOf(search, 'tab', detailsTabs),
    view: wordOf(search, 'view', traceViews),
    find: textOf(search, 'find'),
    list: readList(search['list']),
  }
}

function readList(value: unknown): CallsSearch | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  // Without undefined values, so that the address contains only explicit choices.
  const said = Object.entries(listOf(callsSearch({ ...value }))).filter(([, part]) => part !== undefined)
  return Object.fromEntries(said)
}
