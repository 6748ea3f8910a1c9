import { SunMoon } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Menu } from '../../ui/menu.tsx'

const ThemeChoices = lazyPart(() => import('./theme-choices.tsx').then(({ ThemeChoices }) => ThemeChoices))

/** For pages without an account. */
export function ThemeMenu() {
  return (
    <Menu label="Theme" placement="bottom-end" trigger={<IconButton label="Theme" icon={SunMoon} />}>
      <ThemeChoices />
    </Menu>
  )
}
