import { searchOf, text, word } from '../../lib/search.ts'
import { traceViews } from '../../features/trace/trace-views.ts'

/** Tabs of a call that a public link shows: those with data of the call itself. */
const sharedTabs = ['messages', 'values', 'attributes', 'raw'] as const
export type SharedTab = (typeof sharedTabs)[number]

/** Search parameters of a shared trace, apart from its token, like those of a trace. */
export const sharedSearch = searchOf({
  selected: text,
  tab: word(...sharedTabs),
  view: word(...traceViews),
  find: text,
})
export type SharedSearch = ReturnType<typeof sharedSearch>

export const isSharedTab = (tab: string): tab is SharedTab => (sharedTabs as readonly string[]).includes(tab)
