import { useCallback, useSyncExternalStore } from 'react'
import { boundedWidth } from './columns.ts'

export type Density = 'comfortable' | 'compact'

/** Stored preferences of a grid: the arrangement of its columns. */
export interface GridPreferences {
  widths: Readonly<Record<string, number>>
  order: readonly string[]
}

const none: GridPreferences = { widths: {}, order: [] }
/** Includes the version of the stored format: other versions are not read. */
const keyOf = (name: string) => `heddle.grid.1.${name}`
const densityKey = 'heddle.density.1'
/** More were not stored here. */
const maxColumns = 500

/** Parses stored preferences; unreadable ones are ignored. */
export function readPreferences(stored: string | null): GridPreferences {
  try {
    const { widths, order } = JSON.parse(stored ?? '{}') as Partial<Record<string, unknown>>
    const pairs = typeof widths === 'object' && widths !== null ? Object.entries(widths).slice(0, maxColumns) : []
    const known = pairs.filter((pair): pair is [string, number] => typeof pair[1] === 'number' && Number.isFinite(pair[1]))
    return {
      widths: Object.fromEntries(known.map(([id, px]) => [id, boundedWidth(px)])),
      order: Array.isArray(order) ? order.filter((id) => typeof id === 'string').slice(0, maxColumns) : [],
    }
  } catch {
    return none
  }
}

const listeners = new Set<() => void>()
const subscribe = (notify: () => void) => {
  listeners.add(notify)
  return () => void listeners.delete(notify)
}
/** Choices also apply if the browser stores nothing, while the page is open. */
const inPage = new Map<string, string>()

function read(key: string): string | null {
  const own = inPage.get(key)
  if (own !== undefined) return own
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
function write(key: string, value: string): void {
  inPage.set(key, value)
  try {
    localStorage.setItem(key, value)
  } catch {
    // A private window keeps nothing.
  }
  for (const notify of listeners) notify()
}

const parsed = new Map<string, { text: string | null; preferences: GridPreferences }>()
function preferencesOf(name: string): GridPreferences {
  const text = read(keyOf(name))
  const known = parsed.get(name)
  if (known && known.text === text) return known.preferences
  const preferences = readPreferences(text)
  parsed.set(name, { text, preferences })
  return preferences
}

/** The preferences of the grid of a name in this browser, with what changes a part of them. */
export function useGridPreferences(name: string): [GridPreferences, (change: Partial<GridPreferences>) => void] {
  const preferences = useSyncExternalStore(subscribe, () => preferencesOf(name))
  const change = useCallback(
    (part: Partial<GridPreferences>) => write(keyOf(name), JSON.stringify({ ...preferencesOf(name), ...part })),
    [name],
  )
  return [preferences, change]
}

/** How high the rows of all grids are in this browser. */
export function useDensity(): [Density, (density: Density) => void] {
  const density = useSyncExternalStore(subscribe, () => (read(densityKey) === 'compact' ? 'compact' : 'comfortable'))
  return [density, useCallback((next: Density) => write(densityKey, next), [])]
}
