import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

export function Card({
  title,
  note,
  actions,
  children,
  className,
  flush,
}: {
  title?: ReactNode
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
  className?: string
  flush?: boolean
}) {
  return (
    <section className={cx('flex min-w-0 flex-col rounded-lg border border-line bg-sheet', className)}>
      {title && (
        <header className="flex min-h-10 shrink-0 items-center gap-x-2 pr-2 pl-4 max-md:flex-wrap max-md:py-1.5">
          <h2 className="font-semibold">{title}</h2>
          {note && <span className="truncate text-xs text-fg-3">{note}</span>}
          <span className="grow" />
          {actions}
        </header>
      )}
      <div className={cx('min-h-0 grow', !flush && (title ? 'px-4 pb-4' : 'p-4'))}>{children}</div>
    </section>
  )
}
export function EmptyState({
  icon: Icon,
  title,
  children,
  actions,
}: {
  icon: LucideIcon
  title: string
  children?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-6 py-8 text-center">
      <span className="mb-4 inline-flex size-10 items-center justify-center rounded-lg border border-line-2 bg-sunken text-fg-3">
        <Icon size={18} strokeWidth={1.75} aria-hidden />
      </span>
      <h2 className="text-lg font-semibold">{title}</h2>
      <div className="mt-1 text-fg-2">{children}</div>
      {actions && <div className="mt-4 flex gap-2">{actions}</div>}
    </div>
  )
}
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('skeleton block rounded-sm bg-active', className)} />
}
/** Name and value pairs of a details panel, without those of `false`. Values are cut at the end of their line, unless they wrap. */
export function Facts({ rows, wide, wraps }: { rows: [string, ReactNode][]; wide?: boolean; wraps?: boolean }) {
  return (
    <dl className={cx('grid gap-x-4 gap-y-1.5', wide ? 'grid-cols-[160px_minmax(0,1fr)]' : 'grid-cols-[92px_minmax(0,1fr)]')}>
      {rows
        .filter(([, value]) => value !== false)
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-fg-3">{name}</dt>
            <dd className={cx('min-w-0', wraps ? 'wrap-anywhere' : 'truncate')}>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
