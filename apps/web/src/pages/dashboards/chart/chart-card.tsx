import '../dashboards.css'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { TimeRange } from '../../../app/time-range.ts'
import { useProject } from '../../../app/use-project.ts'
import { readableName } from '../../../components/readable-name.ts'
import { ShowQuery } from '../../../components/show-query.tsx'
import { FilterProblem } from '../../calls/filter/read-tokens.ts'
import type { Chart } from './chart.ts'
import { ChartDrawing } from './chart-drawing.tsx'
import { chartQuery } from './chart-query.ts'

/** A chart with its title, its own state while it is read, and its own error. */
export function ChartCard({ chart, range, children }: { chart: Chart; range: TimeRange; children?: ReactNode }) {
  const { id } = useProject()
  const query = useQuery(chartQuery(id, chart, range))
  const { error } = query
  return (
    <>
      <h2 title={readableName(chart.title)}>{chart.title}</h2>
      {children}
      <div className="chart-content">
        {error instanceof FilterProblem ? (
          <p role="alert" className="problem">
            {`The filter of this chart cannot be read: ${error.message}, at character ${error.at + 1}. Edit the chart to change it.`}
          </p>
        ) : (
          <ShowQuery query={query} what={chart.title}>
            {(data) => <ChartDrawing chart={chart} data={data} range={range} time={{ startedAt: data.start }} />}
          </ShowQuery>
        )}
      </div>
    </>
  )
}
