import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { percentText } from '../../lib/texts/percent-text.ts'
import { sum } from '../../lib/sum.ts'
import type { TimeRange } from '../../lib/time/time-range.ts'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { type ProjectName, useProject } from '../../lib/use-project.ts'
import { formatDuration, shortDuration } from '../../lib/time/duration.ts'
import { compactCount } from '../../lib/texts/compact-count.ts'
import { PendingBlock } from '../../ui/states/pending.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { FigureOverTime, type PartColumn, RowsLink, type TimePart } from '../../features/charts/figure-over-time.tsx'
import type { Series } from '../../plot/frame.tsx'
import type { CallsSearch } from '../../features/calls/calls-search.ts'
import { callsOfTime } from '../../features/calls/calls-of-time.ts'
import { CostsChart } from '../../features/costs/costs-chart.tsx'
import { AddToDashboardItem } from '../../features/dashboard-charts/add-to-dashboard.tsx'
import { chartsOfHome } from '../../features/dashboard-charts/charts-of-home.ts'
import { tracesOverTimeQuery } from './home-queries.ts'
import type { TracePart } from './read-trace-parts.ts'

const height = 180

/** Volume with failures, latency and cost of a range over time. Each bar leads to its calls. */
export function HomeCharts({ range }: { range: TimeRange }) {
  const project = useProject()
  const timezone = useTimeZone()
  return (
    <>
      <ShowQuery
        query={useQuery(tracesOverTimeQuery(project.id, { range, timezone }))}
        what="traces over time"
        pending={['traces', 'latency'].map((what) => (
          <PendingBlock key={what} what={what} className="h-58" />
        ))}
      >
        {(parts) => <TraceCharts parts={parts} project={project} />}
      </ShowQuery>
      <CostsChart range={range} shown="cost" height={height} menu={<AddToDashboardItem chart={chartsOfHome.cost} />} />
    </>
  )
}

function TraceCharts({ parts, project }: { parts: readonly TracePart[]; project: ProjectName }) {
  if (parts.every(({ traces }) => traces === 0)) return <NoTraces />
  const traces = sum(parts.map((part) => part.traces))
  const peakTraces = Math.max(...parts.map((part) => part.traces))
  const slowest = Math.max(...parts.map(({ p95Ms }) => p95Ms ?? 0))
  const errors = sum(parts.map((part) => part.errors))
  const link = linkOf(project)
  return (
    <>
      <FigureOverTime
        title="Traces"
        note={perPart(parts)}
        series={outcomes}
        columns={outcomeColumns}
        menu={<AddToDashboardItem chart={chartsOfHome.traces} />}
        height={height}
        format={compactCount}
        tip={count}
        caption={`${count(traces)} traces, ${count(errors)} failed, at most ${count(peakTraces)} at a time.`}
        parts={parts.map((part) => ({
          ...part,
          values: [part.traces - part.errors, part.errors],
          text: `${count(part.traces)} (${count(part.errors)} failed)`,
          link: link(part, {}),
          linkOfFailed: part.errors === 0 ? undefined : link(part, { status: 'error' }),
        }))}
      />
      <FigureOverTime
        title="Latency"
        note="root spans"
        form="line"
        series={percentiles}
        menu={<AddToDashboardItem chart={chartsOfHome.latency} />}
        height={height}
        format={shortDuration}
        tip={formatDuration}
        caption={`Latency p50 and p95, at most ${formatDuration(slowest)}.`}
        parts={parts.map((part) => ({ ...part, ...latencyOf(part), link: link(part, { sort: 'slowest' }) }))}
      />
    </>
  )
}

const outcomes: readonly Series[] = [
  { id: 'ok', name: 'Succeeded', color: 'var(--s1)' },
  { id: 'failed', name: 'Failed', color: 'var(--red)' },
]

const outcomeColumns: readonly PartColumn<TimePart & TracePart & { linkOfFailed: LinkProps | undefined }>[] = [
  { title: 'Traces', cell: ({ traces, link }) => <RowsLink link={traces === 0 ? undefined : link}>{count(traces)}</RowsLink> },
  {
    title: 'Failed',
    cell: ({ traces, errors, linkOfFailed }) => (
      <RowsLink link={linkOfFailed}>{errors === 0 ? '0' : `${count(errors)} (${percentText(errors / traces)})`}</RowsLink>
    ),
  },
]

const percentiles: readonly Series[] = [
  { id: 'p50', name: 'p50', color: 'var(--s1)' },
  { id: 'p95', name: 'p95', color: 'var(--s2)', dash: '5 3' },
]

const NoTraces = () => (
  <p className="flex min-h-40 items-center justify-center rounded-lg border border-line text-fg-3 lg:col-span-2">No traces in this range</p>
)

const linkOf =
  ({ entity, project }: ProjectName) =>
  (part: TracePart, search: CallsSearch) =>
    ({ to: '/$entity/$project/calls', params: { entity, project }, search: { ...search, where: callsOfTime(part) } }) as const

function latencyOf({ p50Ms, p95Ms }: TracePart) {
  if (p50Ms === null || p95Ms === null) return { values: [null, null], text: 'no data' }
  return { values: [p50Ms, p95Ms], text: `p50 ${formatDuration(p50Ms)}, p95 ${formatDuration(p95Ms)}` }
}

/** How long the time of a bar is. */
const perPart = ([first, second]: readonly TracePart[]) =>
  first && second && `per ${wordsOf((Date.parse(second.startedAt) - Date.parse(first.startedAt)) / 1_000)}`

const units = [
  [86_400, 'day'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const

/** A number of seconds in the largest unit that it fills: `min`, `5 s`. */
function wordsOf(seconds: number): string {
  const [size, unit] = units.find(([least]) => seconds >= least) ?? units[3]
  const count = Math.round(seconds / size)
  return count === 1 ? unit : `${count} ${unit}`
}

const count = (value: number) => value.toLocaleString('en')
