import { searchOf, text, word } from '../../lib/search.ts'
import { detailsTabs } from '../../features/calls/details-tabs.ts'
import { traceViews } from '../../features/trace/trace-views.ts'
import { type CallsSearch, callsSearch, listOf } from '../../features/calls/calls-search.ts'

/** Search parameters of a trace. */
export const traceSearch = searchOf({
  /** The call that is shown next to the tree. Default: the call in the address. */
  selected: text,
  tab: word(...detailsTabs),
  /** The view next to the call. Default: the tree with its timeline. */
  view: word(...traceViews),
  /** A part of the names of the calls that the tree shows. */
  find: text,
  /** The list that the call was opened from. */
  list: readList,
})
export type TraceSearch = ReturnType<typeof traceSearch>

function readList(value: unknown): CallsSearch | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  // Without undefined values, so that the address contains only explicit choices.
  const said = Object.entries(listOf(callsSearch({ ...value }))).filter(([, part]) => part !== undefined)
  return Object.fromEntries(said)
}
