import { textOf, wordOf } from '../../lib/search.ts'
import { type TraceView, traceViews } from '../../features/trace/trace-views.ts'

/** Tabs of a call that a public link shows: those with data of the call itself. */
const sharedTabs = ['messages', 'values', 'attributes', 'raw'] as const
export type SharedTab = (typeof sharedTabs)[number]

/** Search parameters of a shared trace, apart from its token, like those of a trace. */
export interface SharedSearch {
  selected?: string | undefined
  tab?: SharedTab | undefined
  view?: TraceView | undefined
  find?: string | undefined
}

export function sharedSearch(search: Record<string, unknown>): SharedSearch {
  return {
    selected: textOf(search, 'selected'),
    tab: wordOf(search, 'tab', sharedTabs),
    view: wordOf(search, 'view', traceViews),
    find: textOf(search, 'find'),
  }
}

export const isSharedTab = (tab: string): tab is SharedTab => (sharedTabs as readonly string[]).includes(tab)
