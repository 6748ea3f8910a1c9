import { Inbox, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../card.tsx'

/** Shown by a page without content: what belongs here, and how to create it. */
export function Empty({
  title,
  icon = Inbox,
  actions,
  children,
}: {
  title: string
  icon?: LucideIcon
  /** At most two. */
  actions?: ReactNode
  children?: ReactNode
}) {
  return (
    <EmptyState icon={icon} title={title} actions={actions}>
      {children}
    </EmptyState>
  )
}
