export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const name = 'heddle.theme'
/** Content of another version is dropped. */
const version = 1

/** The theme chosen in this browser; the theme of the system when none was chosen or the stored one is invalid. */
export function readTheme(store: Pick<Storage, 'getItem'>): Theme {
  try {
    const stored = Object(JSON.parse(store.getItem(name) ?? 'null')) as { version?: unknown; theme?: unknown }
    return (stored.version === version && themes.find((theme) => theme === stored.theme)) || 'system'
  } catch {
    return 'system'
  }
}

/** A browser that stores nothing, for example in a private window, keeps the theme until the page is left. */
export function storeTheme(store: Pick<Storage, 'setItem'>, theme: Theme): void {
  try {
    store.setItem(name, JSON.stringify({ version, theme }))
  } catch {
    // The choice holds for this page all the same.
  }
}

/** The colours of the page follow the attribute; without it those of the system. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
