import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { rangeTitles, type TimeRange } from '../../lib/time/time-range.ts'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { useProject } from '../../lib/use-project.ts'
import { formatDuration } from '../../lib/time/duration.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Card } from '../../ui/card.tsx'
import { NameTag } from '../../ui/badge.tsx'
import { newChart } from '../../features/dashboard-charts/chart.ts'
import type { ChartSeries } from '../../features/dashboard-charts/chart-data.ts'
import { linkOfValue } from '../../features/dashboard-charts/chart-link.ts'
import { chartQuery } from '../../features/dashboard-charts/chart-query.ts'

const chart = { ...newChart('slowest'), measure: 'latency_p95', level: 'all', by: 'op', form: 'table' } as const
const most = 5

/** The operations with the highest 95th percentile of latency. Each leads to its slowest calls. */
export function SlowestOperations({ range }: { range: TimeRange }) {
  const { id } = useProject()
  const query = useQuery(chartQuery(id, chart, { range, timezone: useTimeZone() }))
  return (
    <Card title="Slowest operations" note={`p95, last ${rangeTitles[range]}`} flush>
      <div className="px-4">
        <ShowQuery query={query} what="the slowest operations">
          {({ series, start }) => <Operations series={slowest(series)} start={start} />}
        </ShowQuery>
      </div>
    </Card>
  )
}

interface Slow {
  series: ChartSeries
  ms: number
  calls: number
}

const slowest = (series: readonly ChartSeries[]): Slow[] =>
  series
    .flatMap((one) => {
      const [cell] = one.cells
      return cell === undefined || cell.value === null ? [] : [{ series: one, ms: cell.value, calls: cell.of }]
    })
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, most)

function Operations({ series, start }: { series: readonly Slow[]; start: string }) {
  const project = useProject()
  if (series.length === 0) return <p className="py-3 text-fg-3">No calls in this range</p>
  const highest = series[0]?.ms ?? 1
  return (
    <table className="num mb-2 w-full table-fixed">
      <thead>
        <tr className="h-7 text-xs text-fg-3">
          <th scope="col" className="text-left font-normal">
            Operation
          </th>
          <th scope="col" className="w-20 text-right font-normal">
            Calls
          </th>
          <th scope="col" className="w-44 text-right font-normal">
            p95
          </th>
        </tr>
      </thead>
      <tbody>
        {series.map(({ series: one, ms, calls }) => (
          <tr key={one.key ?? ''} className="h-8 border-t border-line hover:bg-hover">
            <td className="pr-2">
              <Link {...linkOfValue(project, chart, { startedAt: start }, one)} className="block min-w-0 leading-6 hover:underline">
                <NameTag text={one.name} />
              </Link>
            </td>
            <td className="text-right text-fg-2">{calls.toLocaleString('en')}</td>
            <td>
              <span className="flex items-center justify-end gap-2">
                <span aria-hidden className="h-1 w-20 overflow-hidden rounded-full bg-active">
                  <span className="block h-full rounded-full bg-s2" style={{ width: `${(ms / highest) * 100}%` }} />
                </span>
                <span className="w-18 text-right">{formatDuration(ms)}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
