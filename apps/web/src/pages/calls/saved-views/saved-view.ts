import type { CallsSearch } from '../calls-search.ts'

/** A name for what the address of the calls table says. */
export interface SavedView {
  name: string
  search: CallsSearch
}

/** What a star on a call says. */
const starred = { path: 'feedback.[wandb.reaction.1].payload.emoji', operator: '=', value: '⭐' } as const

/** Those that every project has. */
export const builtInViews: readonly SavedView[] = [
  { name: 'All calls', search: { level: 'all' } },
  { name: 'Errors', search: { level: 'all', status: 'error' } },
  { name: 'Slowest', search: { sort: 'slowest' } },
  { name: 'Starred', search: { level: 'all', where: [starred] } },
  { name: 'Unreviewed', search: { review: 'none' } },
]

export const maxNameLength = 60

/** What a view keeps of an address: not the call beside the table. */
export function viewOf(search: CallsSearch): CallsSearch {
  const { peek: _peek, tab: _tab, live: _live, ...kept } = search
  return kept
}
