import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

export interface StatItem {
  name: string
  value: ReactNode
  note?: ReactNode
  aside?: ReactNode
  /** Takes more width, for a name instead of a number. */
  isWide?: boolean
}
/** A row of metrics. It wraps, and the last line fills its width. */
export function Stats({ items, className, basis = 'basis-44' }: { items: StatItem[]; className?: string; basis?: string }) {
  return (
    <dl className={cx('flex shrink-0 flex-wrap gap-px overflow-hidden rounded-lg border border-line bg-line', className)}>
      {items.map((s) => (
        <div
          key={s.name}
          className={cx(
            'grid min-w-0 grow grid-cols-[minmax(0,1fr)_auto] content-start gap-x-2 bg-sheet px-4 py-3 max-md:basis-32',
            s.isWide ? 'basis-52' : basis,
          )}
        >
          <dt className="col-span-2 truncate text-xs text-fg-2">{s.name}</dt>
          <dd className="num mt-1 truncate text-xl font-semibold tracking-tight">{s.value}</dd>
          {s.aside ? <dd className="row-span-2 self-end">{s.aside}</dd> : <dd aria-hidden className="row-span-2" />}
          <dd className="num min-h-4 truncate text-xs text-fg-3">{s.note}</dd>
        </div>
      ))}
    </dl>
  )
}
