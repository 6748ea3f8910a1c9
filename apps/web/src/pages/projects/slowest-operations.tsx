import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { rangeMs, rangeTitles, type TimeRange } from '../../lib/time/time-range.ts'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { useProject } from '../../lib/use-project.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { formatDuration } from '../../lib/time/duration.ts'
import { PendingBlock } from '../../ui/states/pending.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Card } from '../../ui/card.tsx'
import { KindIcon } from '../../ui/badge.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { CallName } from '../../features/calls/call-name.tsx'
import { signOfKind } from '../../features/calls/kind-of-call.ts'
import { startedSince } from '../../features/calls/started-since.ts'
import { aboutOpsQuery } from './about-ops-query.ts'
import { AllLink } from './latest-list.tsx'
import { newChart } from '../../features/dashboard-charts/chart.ts'
import type { ChartSeries } from '../../features/dashboard-charts/chart-data.ts'
import { linkOfValue } from '../../features/dashboard-charts/chart-link.ts'
import { chartQuery } from '../../features/dashboard-charts/chart-query.ts'
import { numberColumn } from '../../ui/table/column-kinds.tsx'

const failures = { ...newChart('failures'), measure: 'error_rate', level: 'all', by: 'op', form: 'table' } as const
const chart = { ...newChart('slowest'), measure: 'latency_p95', level: 'all', by: 'op', form: 'table' } as const
const most = 5

/** The operations with the highest 95th percentile of latency. Each leads to its slowest calls. */
export function SlowestOperations({ range }: { range: TimeRange }) {
  const project = useProject()
  const time = { range, timezone: useTimeZone() }
  const query = useQuery(chartQuery(project.id, chart, time))
  const failed = useQuery(chartQuery(project.id, failures, time)).data?.series ?? []
  const rates = new Map(failed.map(({ key, cells }) => [key, cells[0]?.value ?? null]))
  return (
    <Card
      title="Slowest operations"
      note={`p95, last ${rangeTitles[range]}`}
      actions={
        <AllLink
          what="slow calls"
          link={{
            to: '/$entity/$project/calls',
            params: project,
            search: { level: 'all', sort: 'slowest', range, where: [startedSince(rangeMs[range])] },
          }}
        />
      }
      flush
    >
      <ShowQuery query={query} what="the slowest operations" pending={<PendingBlock what="the slowest operations" className="m-4 h-38" />}>
        {({ series, start }) => <Operations series={slowest(series)} rates={rates} start={start} />}
      </ShowQuery>
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

interface OperationsProperties {
  series: readonly Slow[]
  /** Share of failed calls by key of the operation. */
  rates: ReadonlyMap<ChartSeries['key'], number | null>
  start: string
}

function Operations({ series, rates, start }: OperationsProperties) {
  const project = useProject()
  const ops = series.flatMap(({ series: one }) => one.key ?? [])
  const about = useQuery(aboutOpsQuery(project.id, ops)).data
  if (series.length === 0) return <p className="px-4 py-3 text-fg-3">No calls in this range</p>
  const highest = series[0]?.ms ?? 1
  const columns: ListColumn<Slow>[] = [
    {
      id: 'name',
      title: 'Operation',
      namesRow: true,
      cell: ({ series: one }) => {
        const { kind = 'other', name = one.name } = about?.get(one.key ?? '') ?? {}
        return (
          <span className="flex min-w-0 items-center gap-2">
            <KindIcon kind={signOfKind(kind)} />
            <Link
              {...linkOfValue(project, chart, { startedAt: start }, one)}
              className="block min-w-0 truncate leading-6 hover:underline"
              data-cut=""
              data-tip={readableName(name)}
            >
              <CallName name={name} kind={signOfKind(kind)} />
            </Link>
          </span>
        )
      },
    },
    numberColumn('calls', 'Calls', '72px', ({ calls }) => calls),
    numberColumn('errors', 'Errors', '68px', ({ series: one }) => rates.get(one.key), { show: failuresText }),
    { id: 'p95', title: 'p95', align: 'right', width: '196px', cell: ({ ms }) => <Latency ms={ms} highest={highest} /> },
  ]
  return (
    <ListTable
      label="Slowest operations"
      rows={series}
      columns={columns}
      rowId={({ series: one }) => one.key ?? ''}
      rowHeight={32}
      minWidth={400}
    />
  )
}

function Latency({ ms, highest }: { ms: number; highest: number }) {
  return (
    <span className="flex items-center justify-end gap-2">
      <span aria-hidden className="h-1 w-20 overflow-hidden rounded-full bg-active">
        <span className="block h-full rounded-full bg-s2" style={{ width: `${(ms / highest) * 100}%` }} />
      </span>
      <span className="w-18 text-right">{formatDuration(ms)}</span>
    </span>
  )
}

/** From here on, a share of failed calls is red. */
const manyFailures = 0.02

const failuresText = (rate: number) => (
  <span className={rate < manyFailures ? 'text-fg-2' : 'text-red-text'}>{`${(rate * 100).toFixed(1)}%`}</span>
)
