import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { percentText } from '../../lib/texts/percent-text.ts'
import { rangeMs, rangeTitles, type TimeRange } from '../../lib/time/time-range.ts'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { useProject } from '../../lib/use-project.ts'
import { formatDuration } from '../../lib/time/duration.ts'
import { costSourceText } from '@heddle/trace-model'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { compactCount } from '../../lib/texts/compact-count.ts'
import { PendingBlock } from '../../ui/states/pending.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Spark } from '../../plot/spark.tsx'
import { Delta } from '../../ui/badge.tsx'
import type { Condition } from '../../features/filter/call-condition.ts'
import { startedSince } from '../../features/calls/started-since.ts'
import { costsOverTimeQuery } from '../../features/costs/costs-queries.ts'
import { changeOf, type Change } from '../../features/charts/change-of.ts'
import { summaryBeforeQuery, summaryQuery, tracesOverTimeQuery } from './home-queries.ts'

/** Volume, failures, latency and cost of a range, compared with the previous range. Each number links to its rows. */
export function ProjectSummary({ range }: { range: TimeRange }) {
  const params = useProject()
  const before = useQuery(summaryBeforeQuery(params.id, range)).data
  const timezone = useTimeZone()
  const parts = useQuery(tracesOverTimeQuery(params.id, { range, timezone })).data ?? []
  const spent = (useQuery(costsOverTimeQuery(params.id, { range, timezone })).data ?? []).map(({ cost }) => cost)
  const where = [startedSince(rangeMs[range])]
  const calls = { to: '/$entity/$project/calls', params: { entity: params.entity, project: params.project } } as const
  const costs = { to: '/$entity/$project/costs', params: calls.params, search: { range } } as const
  const rateOf = ({ traces, errors }: { traces: number; errors: number }) => (traces === 0 ? null : errors / traces)
  return (
    <ShowQuery
      query={useQuery(summaryQuery(params.id, range))}
      what="what happened lately"
      pending={<PendingBlock what="what happened lately" className="h-27" />}
    >
      {(now) => {
        const rate = rateOf(now)
        return (
          <div className="flex flex-wrap gap-px overflow-hidden rounded-lg border border-line bg-line">
            <SummaryItem
              name="Traces"
              value={count(now.traces)}
              link={{ ...calls, search: { where } }}
              change={changeOf(now.traces, before?.traces)}
              good="up"
              values={parts.map(({ traces }) => traces)}
              color="var(--s1)"
              range={range}
            />
            <SummaryItem
              name="Error rate"
              value={rate === null ? '–' : percentText(rate)}
              note={now.errors === 0 ? 'No failures' : `${count(now.errors)} failed`}
              link={{ ...calls, search: { where, status: 'error' } }}
              change={changeOf(rate, before && rateOf(before), 'points')}
              good="down"
              values={parts.map(({ traces, errors }) => (traces === 0 ? 0 : errors / traces))}
              color="var(--red)"
              range={range}
            />
            <SummaryItem
              name="Latency p50"
              value={now.p50Ms === null ? '–' : formatDuration(now.p50Ms)}
              link={{ ...calls, search: { where: atLeast(where, now.p50Ms) } }}
              change={changeOf(now.p50Ms, before?.p50Ms)}
              good="down"
              values={parts.map(({ p50Ms }) => p50Ms ?? Number.NaN)}
              color="var(--s1)"
              range={range}
            />
            <SummaryItem
              name="Latency p95"
              value={now.p95Ms === null ? '–' : formatDuration(now.p95Ms)}
              link={{ ...calls, search: { where: atLeast(where, now.p95Ms) } }}
              change={changeOf(now.p95Ms, before?.p95Ms)}
              good="down"
              values={parts.map(({ p95Ms }) => p95Ms ?? Number.NaN)}
              color="var(--s2)"
              range={range}
            />
            <SummaryItem
              name="Cost"
              value={now.cost === null ? (now.unpriced === 0 ? '–' : 'No price') : formatCost(now.cost)}
              note={[
                `${compactCount(now.tokens)} tokens`,
                now.unpriced === 0 ? undefined : `${count(now.unpriced)} unpriced`,
                now.cost === null ? undefined : costSourceText(now),
              ]
                .filter((text) => text !== undefined)
                .join(', ')}
              link={costs}
              change={changeOf(now.cost, before?.cost)}
              good="down"
              values={spent}
              color="var(--s3)"
              range={range}
            />
          </div>
        )
      }}
    </ShowQuery>
  )
}

interface ItemProperties {
  name: string
  value: ReactNode
  note?: string
  link: LinkProps
  change: Change | undefined
  good: 'up' | 'down'
  /** Over time. */
  values: readonly number[]
  color: string
  range: TimeRange
}

function SummaryItem({ name, value, note, link, change, good, values, color, range }: ItemProperties) {
  return (
    <Link {...link} className="group min-w-0 grow basis-44 max-md:basis-32 bg-sheet p-4 -outline-offset-2 pressable">
      <span className="flex items-center justify-between text-xs text-fg-2">
        {name}
        <ArrowUpRight size={13} aria-hidden className="opacity-0 group-hover:opacity-100" />
      </span>
      <span className="mt-1 flex h-8 items-end justify-between gap-2">
        <span className="num min-w-0 truncate text-xl font-semibold tracking-tight">{value}</span>
        {values.length > 1 && (
          <span className="max-xl:hidden">
            <Spark values={values} color={color} label={`${name} over the last ${rangeTitles[range]}`} />
          </span>
        )}
      </span>
      <span className="mt-1 flex min-h-4 items-center gap-2 text-xs text-fg-3">
        {change && <Delta value={change.value} text={change.text} good={good} />}
        {note !== undefined && (
          <span className="truncate" data-cut="" data-tip={note}>
            {note}
          </span>
        )}
      </span>
    </Link>
  )
}

/** The traces that took at least as long. */
function atLeast(where: readonly Condition[], ms: number | null): Condition[] {
  return ms === null ? [...where] : [...where, { path: 'summary.weave.latency_ms', operator: '>=', value: Math.floor(ms) }]
}

const count = (value: number) => value.toLocaleString('en')
