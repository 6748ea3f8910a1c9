import { useQueryClient } from '@tanstack/react-query'
import { Activity, BookOpen, Keyboard, LogOut } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { openDocumentation } from '../go-to/actions.ts'
import { cx } from '../../lib/cx.ts'
import { Avatar } from '../../ui/badge.tsx'
import { Menu, MenuItem, MenuSection, MenuSeparator } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { signOut } from '../../lib/server/session.ts'
import { ThemeChoices } from '../../features/theme/theme-choices.tsx'

export function AccountMenu({ username, isNarrow, onHelp }: { username: string; isNarrow: boolean; onHelp: () => void }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  async function leave() {
    try {
      await signOut()
    } catch (error) {
      return toast({ tone: 'error', title: 'You are still signed in', text: error instanceof Error ? error.message : String(error) })
    }
    // Data of one user must not be shown to the next.
    queries.clear()
    window.location.reload()
  }
  return (
    <Menu
      label="Account"
      placement="top-start"
      trigger={
        <button
          type="button"
          aria-label={`Account ${username}`}
          className={cx(
            'flex h-8 min-w-0 items-center gap-2 rounded-md px-2 pressable [--on-hover:var(--active)] [--on-press:var(--line-2)]',
            !isNarrow && 'grow',
          )}
        >
          <Avatar name={username} />
          {!isNarrow && <span className="grow truncate text-left text-fg-2">{username}</span>}
        </button>
      }
    >
      <MenuSection label={username}>
        <MenuItem icon={Activity} onClick={() => void navigate({ to: '/status' })}>
          Service status
        </MenuItem>
        <MenuItem icon={BookOpen} onClick={openDocumentation}>
          Documentation
        </MenuItem>
        <MenuItem icon={Keyboard} keys="?" onClick={onHelp}>
          Keyboard shortcuts
        </MenuItem>
      </MenuSection>
      <MenuSeparator />
      <ThemeChoices />
      <MenuSeparator />
      <MenuItem icon={LogOut} onClick={() => void leave()}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
