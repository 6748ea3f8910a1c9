import { Link } from '@tanstack/react-router'
import { CircleHelp } from 'lucide-react'
import { cx } from '../../lib/cx.ts'
import { IconButton } from '../../ui/button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { AccountMenu } from './account-menu.tsx'
import { useServerAnswers } from './use-server-answers.ts'

/** Who is signed in, how the server does, and the keys of the page. */
export function SidebarFoot({ username, isNarrow, onHelp }: { username: string; isNarrow: boolean; onHelp: () => void }) {
  return (
    <div className={cx('flex shrink-0 items-center gap-1', isNarrow ? 'flex-col py-2' : 'h-12 px-3')}>
      <AccountMenu username={username} isNarrow={isNarrow} onHelp={onHelp} />
      <StatusDot />
      <IconButton
        label="Keys of this page"
        icon={CircleHelp}
        keys="?"
        onClick={onHelp}
        className="text-fg-3 [--on-hover:var(--active)] [--on-press:var(--line-2)]"
      />
    </div>
  )
}

function StatusDot() {
  const answers = useServerAnswers()
  const text = answers ? 'Service status' : 'Service status: the server does not answer'
  return (
    <Tooltip text={text}>
      <Link
        to="/status"
        aria-label={text}
        className="inline-flex size-7 items-center justify-center rounded-md pressable [--on-hover:var(--active)] [--on-press:var(--line-2)]"
      >
        <span className={cx('size-2', answers ? 'rounded-full bg-green' : 'bg-red')} />
      </Link>
    </Tooltip>
  )
}
