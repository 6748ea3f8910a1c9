import { deepEqual } from '@tanstack/react-router'
import type { CallsSearch } from '../../../features/calls/calls-search.ts'

/** A name for search parameters of the list. */
export interface SavedView {
  name: string
  search: CallsSearch
  /** Whether its tab shows how many rows it has. */
  isCounted?: boolean
}

/** The payload of a star on a call. */
const starred = { path: 'feedback.[wandb.reaction.1].payload.emoji', operator: '=', value: '⭐' } as const

/** Views of every project. */
export const builtInViews: readonly SavedView[] = [
  { name: 'All traces', search: {} },
  { name: 'Errors', search: { status: 'error' }, isCounted: true },
  { name: 'Slowest', search: { sort: 'slowest' } },
  { name: 'Starred', search: { level: 'all', where: [starred] } },
  { name: 'Unreviewed', search: { review: 'none' } },
]

export const maxNameLength = 60

/** The search parameters kept in a view: not the call next to the table. */
export function viewOf(search: CallsSearch): CallsSearch {
  const { peek: _peek, tab: _tab, live: _live, ...kept } = search
  return kept
}

/** Whether the list shows just what a view does, with a call next to it or not. */
export const isShownAs = (shown: CallsSearch, search: CallsSearch) => deepEqual(viewOf(shown), search)
