import { cx } from '../../lib/cx.ts'
import { Avatar } from '../../ui/badge.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Menu } from '../../ui/menu.tsx'

const AccountItems = lazyPart(() => import('./account-items.tsx').then(({ AccountItems }) => AccountItems))

export function AccountMenu({ username, isNarrow, onHelp }: { username: string; isNarrow: boolean; onHelp: () => void }) {
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
      <AccountItems username={username} onHelp={onHelp} />
    </Menu>
  )
}
