import type { ReactNode } from 'react'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { cx } from '../../../lib/cx.ts'
import type { Chart } from '../../../features/dashboard-charts/chart.ts'

interface Properties {
  chart: Pick<Chart, 'title' | 'form'>
  actions?: ReactNode
  children: ReactNode
}

/** A chart without axes: a number, a table, or a chart that is still loading. */
export function ChartBox({ chart: { title, form }, actions, children }: Properties) {
  return (
    <section aria-label={readableName(title)} className="flex h-full min-w-0 flex-col rounded-lg border border-line bg-sheet">
      <div className={cx('flex min-h-10 min-w-0 items-center gap-2 pt-1 pr-1.5 pl-4')}>
        <h2
          className={cx('min-w-0 grow truncate', form === 'number' ? 'text-xs text-fg-2' : 'font-semibold')}
          data-cut=""
          data-tip={readableName(title)}
        >
          {title}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  )
}
