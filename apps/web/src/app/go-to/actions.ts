import { addressOf } from '../../lib/server/base-path.ts'
import type { Theme } from '../../features/theme/theme.ts'
import { chooseTheme } from '../../features/theme/use-theme.ts'
import type { Target } from './targets.ts'

/** Opens a new tab, so that the page and its inputs remain. */
export const openDocumentation = () => void window.open(addressOf('/docs/'), '_blank', 'noopener')

/** Actions that are available on every page. */
export function actionsOf(theme: Theme, showKeys: () => void): Target[] {
  const isDark = theme === 'dark' || (theme === 'system' && window.matchMedia('(prefers-color-scheme: dark)').matches)
  const other = isDark ? 'light' : 'dark'
  return [
    { href: 'action:theme', title: `Switch to ${other} theme`, kind: 'action', run: () => chooseTheme(other) },
    { href: 'action:docs', title: 'Documentation', kind: 'action', run: openDocumentation },
    { href: 'action:keys', title: 'Keyboard shortcuts', kind: 'action', run: showKeys },
  ]
}
