import { useSyncExternalStore } from 'react'
import { applyTheme, readTheme, storeTheme, type Theme } from './theme.ts'

const listeners = new Set<() => void>()
let chosen: Theme | undefined

const chosenTheme = () => (chosen ??= readTheme(window.localStorage))

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows the pages in another theme, now and in later visits of this browser. */
export function chooseTheme(theme: Theme): void {
  chosen = theme
  storeTheme(window.localStorage, theme)
  applyTheme(theme)
  for (const listener of listeners) listener()
}

/** The theme that was chosen in this browser. */
export const useTheme = () => useSyncExternalStore(subscribe, chosenTheme)
