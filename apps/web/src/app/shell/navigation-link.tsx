import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { Tooltip } from '../../ui/tooltip.tsx'

interface Properties {
  title: string
  icon: LucideIcon
  /** Pattern of an address of the router. */
  to: string
  /** Values of its path parameters. */
  params?: { entity: string; project: string }
  isCurrent: boolean
  /** Only the icon is shown, and the title in a tooltip. */
  isNarrow: boolean
  /** Shown next to the link: work under way on its page. Its element has the id `markId`, which describes the link. */
  mark?: ReactNode
  markId?: string | undefined
}

export function NavigationLink({ title, icon: Icon, to, params, isCurrent, isNarrow, mark, markId }: Properties) {
  const link = (
    <Link
      // The compiler does not know patterns that are put together from the list of pages.
      to={to as '/$entity/$project'}
      params={params as { entity: string; project: string }}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={isNarrow ? title : undefined}
      aria-describedby={markId}
      className={cx(
        'flex h-7 items-center gap-2 rounded-md',
        isNarrow ? 'w-8 justify-center' : 'px-2',
        isCurrent
          ? 'bg-active font-medium text-fg'
          : 'text-fg-2 pressable [--on-hover:var(--active)] [--on-press:var(--line-2)] hover:text-fg',
      )}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden className={isCurrent ? 'text-accent-text' : 'text-fg-3'} />
      {!isNarrow && <span className="grow truncate">{title}</span>}
    </Link>
  )
  return (
    <li className="relative">
      {isNarrow ? (
        <Tooltip text={title} placement="right">
          {link}
        </Tooltip>
      ) : (
        link
      )}
      {mark}
    </li>
  )
}
