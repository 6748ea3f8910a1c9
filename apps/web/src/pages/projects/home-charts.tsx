import './home-charts.css'
import { useQuery } from '@tanstack/react-query'
import type { TimeRange } from '../../app/time-range.ts'
import { type ProjectName, useProject } from '../../app/use-project.ts'
import { FigureOverTime } from '../../components/bars-over-time/figure-over-time.tsx'
import { formatDuration } from '../../components/duration.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import type { CallsSearch } from '../calls/calls-search.ts'
import { callsOfTime } from '../calls/calls-of-time.ts'
import { CostsChart } from '../costs/costs-chart.tsx'
import { AddToDashboard } from '../dashboards/add-to-dashboard.tsx'
import { chartsOfHome } from './charts-of-home.ts'
import { tracesOverTimeQuery } from './home-queries.ts'
import type { TracePart } from './read-trace-parts.ts'

const height = 64

/** Volume, failures, latency and cost of a range over time. Each bar leads to its calls. */
export function HomeCharts({ range }: { range: TimeRange }) {
  const project = useProject()
  return (
    <section aria-label="Over time" className="home-charts">
      <ShowQuery query={useQuery(tracesOverTimeQuery(project.id, range))} what="traces over time">
        {(parts) => <TraceCharts parts={parts} project={project} />}
      </ShowQuery>
      <CostsChart
        title="Cost"
        range={range}
        shown="cost"
        height={height}
        action={<AddToDashboard chart={chartsOfHome.cost} isOneOfSeveral />}
      />
    </section>
  )
}

function TraceCharts({ parts, project }: { parts: readonly TracePart[]; project: ProjectName }) {
  const known = parts.filter(({ traces }) => traces > 0)
  if (known.length === 0) return <p className="muted">No trace started in this time.</p>
  const traces = sum(parts.map((part) => part.traces))
  const mostTraces = Math.max(...parts.map((part) => part.traces))
  const slowest = Math.max(...parts.map(({ p95Ms }) => p95Ms ?? 0))
  const errors = sum(parts.map((part) => part.errors))
  const link = linkOf(project)
  return (
    <>
      <FigureOverTime
        title="Traces"
        action={<AddToDashboard chart={chartsOfHome.traces} isOneOfSeveral />}
        height={height}
        caption={`The highest bar is ${count(mostTraces)}; all together are ${count(traces)}. What failed is in the colour of errors.`}
        parts={parts.map((part) => ({
          ...part,
          sections: [{ value: part.traces - part.errors }, { value: part.errors, tone: 'errors' }],
          text: `${count(part.traces)} (${count(part.errors)} failed)`,
          link: link(part, {}),
        }))}
      />
      {errors === 0 ? (
        <p className="muted">No trace failed.</p>
      ) : (
        <FigureOverTime
          title="Failed"
          action={<AddToDashboard chart={chartsOfHome.failed} isOneOfSeveral />}
          height={height}
          caption={`The highest bar is ${percent(Math.max(...known.map(errorRate)))}; of all together ${percent(errors / traces)} failed.`}
          parts={parts.map((part) => ({
            ...part,
            sections: [{ value: errorRate(part), tone: 'errors' }],
            text: part.traces === 0 ? 'no data' : `${percent(errorRate(part))} (${count(part.errors)} of ${count(part.traces)})`,
            link: link(part, { status: 'error' }),
          }))}
        />
      )}
      <FigureOverTime
        title="Latency"
        action={<AddToDashboard chart={chartsOfHome.latency} isOneOfSeveral />}
        height={height}
        caption={`The strong part of a bar is the median, its top the 95th percentile. The highest bar is ${formatDuration(slowest)}.`}
        parts={parts.map((part) => ({ ...part, ...latencyOf(part), link: link(part, { sort: 'slowest' }) }))}
      />
    </>
  )
}

const linkOf =
  ({ entity, project }: ProjectName) =>
  (part: TracePart, search: CallsSearch) =>
    ({ to: '/$entity/$project/calls', params: { entity, project }, search: { ...search, where: callsOfTime(part) } }) as const

function latencyOf({ p50Ms, p95Ms }: TracePart) {
  if (p50Ms === null || p95Ms === null) return { sections: [], text: 'no data' }
  return {
    sections: [{ value: p95Ms - p50Ms, tone: 'faint' as const }, { value: p50Ms }],
    text: `median ${formatDuration(p50Ms)} (95th percentile ${formatDuration(p95Ms)})`,
  }
}

const errorRate = ({ traces, errors }: TracePart) => (traces === 0 ? 0 : errors / traces)
const percent = (rate: number) => `${(rate * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %`
const count = (value: number) => value.toLocaleString('en')
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
