import { callsSearch, type CallsSearch } from './calls-search.ts'

/** A name for what the address of the calls table says. */
export interface SavedView {
  name: string
  search: CallsSearch
}

/** Those that every project has. */
export const builtInViews: readonly SavedView[] = [
  { name: 'All calls', search: { level: 'all' } },
  { name: 'Errors', search: { level: 'all', status: 'error' } },
  { name: 'Slowest', search: { sort: 'slowest' } },
  { name: 'Unreviewed', search: { review: 'none' } },
]

export const maxViews = 50
export const maxNameLength = 60

/** With the version of what is stored: another version is not read. */
const keyOf = (project: string) => `heddle.calls-views.1.${project}`

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

/** The views that were saved in this browser. What cannot be read is dropped. */
export function readViews(storage: Storage, project: string): SavedView[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(keyOf(project)) ?? '[]')
    return Array.isArray(stored) ? stored.flatMap(toView).slice(0, maxViews) : []
  } catch {
    return []
  }
}

function toView(value: unknown): SavedView[] {
  const { name, search } = (value ?? {}) as Partial<Record<string, unknown>>
  if (typeof name !== 'string' || name === '' || typeof search !== 'object' || search === null) return []
  return [{ name: name.slice(0, maxNameLength), search: callsSearch(search as Record<string, unknown>) }]
}

/** False where the browser keeps nothing, such as in a private window. */
export function writeViews(storage: Storage, project: string, views: readonly SavedView[]): boolean {
  try {
    storage.setItem(keyOf(project), JSON.stringify(views.slice(0, maxViews)))
    return true
  } catch {
    return false
  }
}

/** What a view keeps of an address: not the call beside the table. */
export function viewOf(search: CallsSearch): CallsSearch {
  const { peek: _peek, tab: _tab, live: _live, ...kept } = search
  return kept
}
