import { textOf, wordOf } from '../../app/search.ts'
import { type TraceView, traceViews } from '../trace/trace-search.ts'

/** Parts of a call that a public link shows: those that stand in the call itself. */
const sharedTabs = ['messages', 'values', 'attributes', 'raw'] as const
export type SharedTab = (typeof sharedTabs)[number]

/** What the address of a shared trace says beside its token, as that of a trace does. */
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
