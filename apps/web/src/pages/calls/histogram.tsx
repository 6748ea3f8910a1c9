import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../app/use-project.ts'
import { LinkedBars, type TimePart } from '../../components/bars-over-time/linked-bars.tsx'
import { numberAt, type StatsBucket, timesOf } from '../../components/bars-over-time/stats-bucket.ts'
import { QueryProblem } from '../../components/query-problem.tsx'
import { callsOfTime } from './calls-of-time.ts'
import { atAnyTime } from './drawn-search.ts'
import { histogramQuery, olderCallsQuery } from './calls-queries.ts'
import { type CallsSearch, ranges } from './calls-search.ts'
import type { ListedCalls } from './totals/known-traces.ts'
import { rangeTitles } from './range-titles.ts'

const height = 48

interface Bucket {
  startedAt: string
  endedAt: string
  calls: number
  errors: number
}

interface CallStats {
  count: number
  has_more: boolean
}

interface Properties {
  project: string
  search: CallsSearch
  /** The same with the traces that it asks for. */
  listed: ListedCalls
  change: (part: CallsSearch) => void
}

/** Calls over time that meet the conditions of the table but those on their time. Each bar leads to its calls. */
export function Histogram({ project, search, listed, change }: Properties) {
  const { entity, project: name } = useProject()
  const query = useQuery(histogramQuery(project, listed))
  const older = useQuery(olderCallsQuery(project, listed, query.data?.start))
  const buckets = (query.data?.call_buckets ?? []).map((bucket) => readBucket(bucket, query.data?.granularity ?? 0))
  const range = search.range ?? '7d'
  const [calls, errors] = [sum(buckets.map((bucket) => bucket.calls)), sum(buckets.map((bucket) => bucket.errors))]
  return (
    <section aria-label="Calls over time" aria-busy={query.isLoading || older.isLoading}>
      <div className="row">
        <label htmlFor="range">Started in the last</label>
        <select id="range" value={range} onChange={({ target }) => change({ range: ranges.find((known) => known === target.value) })}>
          {ranges.map((known) => (
            <option key={known} value={known}>
              {rangeTitles[known]}
            </option>
          ))}
        </select>
        {query.data && (
          <span>{`${calls.toLocaleString('en')} ${search.level === 'all' ? 'call' : 'trace'}${calls === 1 ? '' : 's'}, ${errors.toLocaleString('en')} with errors`}</span>
        )}
        {query.data && calls > 0 && <OnlyThese start={query.data.start} search={search} change={change} />}
        <Older found={older.data} search={search} start={query.data?.start} />
      </div>
      {query.error && <QueryProblem error={query.error} retry={() => void query.refetch()} />}
      <LinkedBars height={height} parts={buckets.map((bucket) => toPart(bucket, search, { entity, project: name }))} />
    </section>
  )
}

/** Restricts the table to the time of the histogram, which by itself restricts nothing. */
function OnlyThese({ start, search, change }: Pick<Properties, 'search' | 'change'> & { start: string }) {
  return (
    <button
      type="button"
      onClick={() => change({ where: [...atAnyTime(search.where), { path: 'started_at', operator: '>=', value: start }] })}
    >
      Show only these
    </button>
  )
}

/** Calls that the histogram leaves out, since they started before its range. */
function Older({ found, search, start }: { found: CallStats | undefined; search: CallsSearch; start: string | undefined }) {
  const { entity, project } = useProject()
  if (!found || found.count === 0 || start === undefined) return null
  return (
    <Link
      to="/$entity/$project/calls"
      params={{ entity, project }}
      search={{ ...search, where: [...atAnyTime(search.where), { path: 'started_at', operator: '<', value: start }] }}
    >
      {`${found.has_more ? 'More than ' : ''}${found.count.toLocaleString('en')} started earlier`}
    </Link>
  )
}

function toPart(bucket: Bucket, search: CallsSearch, params: { entity: string; project: string }): TimePart {
  const { calls, errors } = bucket
  return {
    ...bucket,
    sections: [{ value: calls - errors }, { value: errors, tone: 'errors' }],
    text: `${calls.toLocaleString('en')} (${errors.toLocaleString('en')} with errors)`,
    link: { to: '/$entity/$project/calls', params, search: { ...search, where: [...atAnyTime(search.where), ...callsOfTime(bucket)] } },
  }
}

const readBucket = (bucket: StatsBucket, seconds: number): Bucket => ({
  ...timesOf(bucket, seconds),
  calls: numberAt(bucket, 'sum_call_count') ?? 0,
  errors: numberAt(bucket, 'sum_error_count') ?? 0,
})

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
