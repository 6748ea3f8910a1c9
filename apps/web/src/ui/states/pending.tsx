import { cx } from '../../lib/cx.ts'
import { Skeleton } from '../card.tsx'

const widths = ['w-2/5', 'w-4/5', 'w-3/5', 'w-3/4'] as const

/** Placeholder during the first load. `what` is announced by screen readers. */
export function Pending({ what }: { what: string }) {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-3 py-2">
      <span className="sr-only">Loading {what}</span>
      {widths.map((width) => (
        <Skeleton key={width} className={cx('h-4', width)} />
      ))}
    </div>
  )
}

/** Placeholder of an element with a known size, such as a chart, whose height is set by `className`. */
export function PendingBlock({ what, className }: { what: string; className: string }) {
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">Loading {what}</span>
      <Skeleton className={cx('rounded-lg', className)} />
    </div>
  )
}
