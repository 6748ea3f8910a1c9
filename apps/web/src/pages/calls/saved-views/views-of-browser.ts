import { callsSearch } from '../../../features/calls/calls-search.ts'
import { maxNameLength, type SavedView } from './saved-view.ts'

const maxViews = 50

/** Includes the version of the stored format: other versions are not read. */
const keyOf = (project: string) => `heddle.calls-views.1.${project}`

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

/** The views that this browser keeps for itself. What cannot be read is dropped. */
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

/** False if the browser stores nothing, for example in a private window. */
export function writeViews(storage: Storage, project: string, views: readonly SavedView[]): boolean {
  try {
    storage.setItem(keyOf(project), JSON.stringify(views.slice(0, maxViews)))
    return true
  } catch {
    return false
  }
}
