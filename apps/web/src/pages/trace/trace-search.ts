import { textOf, wordOf } from '../../app/search.ts'
import { type DetailsTab, detailsTabs } from '../calls/calls-search.ts'

/** What the address of a trace says. */
export interface TraceSearch {
  /** The call that is shown beside the tree. Default: the call in the address. */
  selected?: string | undefined
  tab?: DetailsTab | undefined
  /** A part of the names of the calls that the tree shows. */
  find?: string | undefined
}

export function traceSearch(search: Record<string, unknown>): TraceSearch {
  return { selected: textOf(search, 'selected'), tab: wordOf(search, 'tab', detailsTabs), find: textOf(search, 'find') }
}
