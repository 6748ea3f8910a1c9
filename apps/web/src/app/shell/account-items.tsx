import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Activity, BookOpen, Keyboard, LogOut } from 'lucide-react'
import { messageOf } from '../../lib/texts/message-of.ts'
import { openDocumentation } from '../go-to/actions.ts'
import { MenuItem, MenuSection, MenuSeparator } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { signOut } from '../../lib/server/session.ts'
import { ThemeChoices } from '../../features/theme/theme-choices.tsx'

/** Items of the account menu: pages of the server, the theme, and the end of the session. */
export function AccountItems({ username, onHelp }: { username: string; onHelp: () => void }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  async function leave() {
    try {
      await signOut()
    } catch (error) {
      return toast({ tone: 'error', title: 'You are still signed in', text: messageOf(error) })
    }
    // Data of one user must not be shown to the next.
    queries.clear()
    window.location.reload()
  }
  return (
    <>
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
    </>
  )
}
