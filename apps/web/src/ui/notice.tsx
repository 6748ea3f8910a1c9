import { CircleCheck, CircleX, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

type NoticeTone = 'info' | 'ok' | 'warning' | 'error'
const tones: Record<NoticeTone, { icon: LucideIcon; box: string; mark: string }> = {
  info: { icon: Info, box: 'border-line bg-sunken', mark: 'text-fg-3' },
  ok: { icon: CircleCheck, box: 'border-green-line bg-green-soft', mark: 'text-green' },
  warning: { icon: TriangleAlert, box: 'border-amber-line bg-amber-soft', mark: 'text-amber' },
  error: { icon: CircleX, box: 'border-red-line bg-red-soft', mark: 'text-red' },
}
/** A notice about the part of the page that contains it. It is shown until it no longer applies. */
export function Notice({
  tone = 'info',
  title,
  children,
  actions,
  className,
  icon,
}: {
  tone?: NoticeTone
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
  className?: string
  icon?: LucideIcon
}) {
  const Icon = icon ?? tones[tone].icon
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={cx('flex items-start gap-2.5 rounded-lg border px-3 py-2.5 [overflow-wrap:anywhere]', tones[tone].box, className)}
    >
      <Icon size={16} aria-hidden className={cx('mt-0.5', tones[tone].mark)} />
      <div className="min-w-0 grow">
        <p className="font-medium">{title}</p>
        {children && <div className="text-fg-2">{children}</div>}
      </div>
      {actions && <div className="flex shrink-0 items-center gap-2">{actions}</div>}
    </div>
  )
}
