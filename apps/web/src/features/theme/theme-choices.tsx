import { Monitor, Moon, Sun } from 'lucide-react'
import { MenuRadio, MenuSection } from '../../ui/menu.tsx'
import type { Theme } from './theme.ts'
import { chooseTheme, useTheme } from './use-theme.ts'

const choices = [
  { theme: 'system', title: 'System', icon: Monitor },
  { theme: 'light', title: 'Light', icon: Sun },
  { theme: 'dark', title: 'Dark', icon: Moon },
] as const

/** Light or dark pages, as items of a menu. */
export function ThemeChoices() {
  const chosen = useTheme()
  return (
    <MenuSection label="Theme">
      {choices.map(({ theme, title, icon: Icon }) => (
        <MenuRadio key={theme} name="theme" value={theme} current={chosen} onPick={(picked) => chooseTheme(picked as Theme)}>
          <span className="flex items-center gap-2">
            <Icon size={15} strokeWidth={1.75} aria-hidden className="text-fg-3" />
            {title}
          </span>
        </MenuRadio>
      ))}
    </MenuSection>
  )
}
