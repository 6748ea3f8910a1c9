import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { TimeRange } from '../../../lib/time/time-range.ts'
import { useTimeZone } from '../../../lib/time/use-time-zone.ts'
import { useProject } from '../../../lib/use-project.ts'
import { QueryProblem } from '../../../ui/states/query-problem.tsx'
import { Skeleton } from '../../../ui/card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { FilterProblem } from '../../../features/filter/read-tokens.ts'
import type { Chart } from '../../../features/dashboard-charts/chart.ts'
import { ChartBox } from './chart-box.tsx'
import { ChartDrawing, chartHeight } from './chart-drawing.tsx'
import { chartQuery } from '../../../features/dashboard-charts/chart-query.ts'

/** A chart with its title, loading state, and error. `actions` are in its header. */
export function ChartCard({ chart, range, actions }: { chart: Chart; range: TimeRange; actions?: ReactNode }) {
  const { id } = useProject()
  const query = useQuery(chartQuery(id, chart, { range, timezone: useTimeZone() }))
  const { data, error } = query
  const problem = error && (
    <div className="px-4 pb-3">
      {error instanceof FilterProblem ? (
        <Notice tone="error" title="The filter of this chart is not valid">
          {`${error.message}, at character ${error.at + 1}. Edit the chart to change it.`}
        </Notice>
      ) : (
        <QueryProblem error={error} retry={() => void query.refetch()} />
      )}
    </div>
  )
  if (data)
    return <ChartDrawing chart={chart} data={data} range={range} time={{ startedAt: data.start }} actions={actions} below={problem} />
  return (
    <ChartBox chart={chart} actions={actions}>
      {problem ?? (
        <div role="status" aria-busy="true" className="px-4 pb-4">
          <span className="sr-only">Loading {chart.title}</span>
          {chart.form === 'number' ? (
            <Skeleton className="h-8 w-24" />
          ) : (
            <div style={{ height: chartHeight }}>
              <Skeleton className="h-full" />
            </div>
          )}
        </div>
      )}
    </ChartBox>
  )
}
