import { textOf, wordOf } from '../../app/search.ts'
import { type CallsSearch, callsSearch, type DetailsTab, detailsTabs, listOf } from '../calls/calls-search.ts'

export const traceViews = ['messages', 'flame', 'graph'] as const
export type TraceView = (typeof traceViews)[number]

/** What the address of a trace says. */
export interface TraceSearch {
  /** The call that is shown beside the tree. Default: the call in the address. */
  selected?: string | undefined
  tab?: DetailsTab | undefined
  /** What is shown beside the call. Default: the tree with its timeline. */
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
  // Without what is not said, so that the address names only what was chosen.
  const said = Object.entries(listOf(callsSearch({ ...value }))).filter(([, part]) => part !== undefined)
  return Object.fromEntries(said)
}
