import { SunMoon } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { ThemeChoices } from './theme-choices.tsx'

/** For pages without an account. */
export function ThemeMenu() {
  return (
    <Menu label="Theme" placement="bottom-end" trigger={<IconButton label="Theme" icon={SunMoon} />}>
      <ThemeChoices />
    </Menu>
  )
}
