import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { rangeMs, type TimeRange } from '../../app/time-range.ts'
import { useProject } from '../../app/use-project.ts'
import { formatDuration } from '../../components/duration.ts'
import { costText } from '../../components/format-cost.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import type { Condition } from '../calls/call-condition.ts'
import { startedSince } from '../calls/started-since.ts'
import { summaryQuery } from './home-queries.ts'

/** Volume, failures, latency and cost of a range. Each number leads to its rows. */
export function ProjectSummary({ range }: { range: TimeRange }) {
  const params = useProject()
  const where = [startedSince(rangeMs[range])]
  const calls = { to: '/$entity/$project/calls', params } as const
  return (
    <ShowQuery query={useQuery(summaryQuery(params.id, range))} what="what happened lately">
      {({ traces, errors, p50Ms, p95Ms, tokens, cost, unpriced }) => (
        <dl className="metrics">
          <Metric name="Traces">
            <Link {...calls} search={{ where }}>
              {traces.toLocaleString('en')}
            </Link>
          </Metric>
          <Metric name="Failed">
            {traces === 0 ? (
              'no data'
            ) : (
              <Link {...calls} search={{ where, status: 'error' }}>
                {`${((errors / traces) * 100).toLocaleString('en', { maximumFractionDigits: 1 })} % (${errors.toLocaleString('en')})`}
              </Link>
            )}
          </Metric>
          <Metric name="Latency, median">
            <LatencyLink ms={p50Ms} where={where} />
          </Metric>
          <Metric name="Latency, 95th percentile">
            <LatencyLink ms={p95Ms} where={where} />
          </Metric>
          <Metric name="Tokens">{tokens.toLocaleString('en')}</Metric>
          <Metric name="Cost">
            <Link to="/$entity/$project/costs" params={params} search={{ range }}>
              {costText(cost, unpriced)}
            </Link>
          </Metric>
        </dl>
      )}
    </ShowQuery>
  )
}

/** Leads to the traces that took at least as long. */
function LatencyLink({ ms, where }: { ms: number | null; where: readonly Condition[] }) {
  const params = useProject()
  if (ms === null) return 'no data'
  const slow: Condition = { path: 'summary.weave.latency_ms', operator: '>=', value: Math.floor(ms) }
  return (
    <Link to="/$entity/$project/calls" params={params} search={{ where: [...where, slow] }}>
      {formatDuration(ms)}
    </Link>
  )
}

function Metric({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
