import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sum } from '../../lib/sum.ts'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { useProject } from '../../lib/use-project.ts'
import { type BucketGrid, numberAt, type StatsBucket, timesOf } from '../../features/charts/stats-bucket.ts'
import { cx } from '../../lib/cx.ts'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { Strip } from '../../plot/strip.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { labelsOfTime, startsOf } from '../../features/charts/labels-of-time.ts'
import { fitTicks } from '../../plot/axis.tsx'
import { callsOfTime } from '../../features/calls/calls-of-time.ts'
import { histogramQuery, olderCallsQuery } from '../../features/calls/counts/call-counts.ts'
import type { CallsSearch } from '../../features/calls/calls-search.ts'
import { atAnyTime } from '../../features/calls/drawn-search.ts'
import type { ListedCalls } from '../../features/calls/totals/known-traces.ts'

const height = 36
const maxLabels = 9

interface Bucket {
  startedAt: string
  endedAt: string
  calls: number
  errors: number
}

interface Properties {
  project: string
  search: CallsSearch
  /** The same with the traces that it requests. */
  listed: ListedCalls
  change: (part: CallsSearch) => void
}

/** Traces over time that meet the conditions of the list but those on their time. A part leads to its rows; a drag over some chooses their time. */
export function CallsStrip({ project, search, listed, change }: Properties) {
  const { entity, project: name } = useProject()
  const timezone = useTimeZone()
  const query = useQuery(histogramQuery(project, { listed, timezone }))
  const older = useQuery(olderCallsQuery(project, { listed, timezone }))
  const buckets = query.data ? readBuckets(query.data) : []
  const startedAt = buckets.map((bucket) => bucket.startedAt)
  const startOf = startsOf(startedAt, timezone)
  const noun = search.level === 'all' ? 'span' : 'trace'
  const words = (part: readonly Bucket[]) => {
    const [calls, errors] = [sum(part.map((bucket) => bucket.calls)), sum(part.map((bucket) => bucket.errors))]
    return { calls, text: `${calls.toLocaleString('en')} ${noun}${calls === 1 ? '' : 's'}, ${errors.toLocaleString('en')} with errors` }
  }
  const timeOf = (part: readonly Bucket[]) => ({ startedAt: part[0]?.startedAt ?? '', endedAt: part.at(-1)?.endedAt ?? '' })
  return (
    <section aria-label="Calls over time" aria-busy={query.isLoading || older.isLoading} className="shrink-0 px-4 pt-3 pb-2">
      {query.error && <QueryProblem error={query.error} retry={() => void query.refetch()} />}
      {query.data ? (
        <>
          <p className="sr-only">{words(buckets).text}</p>
          <Strip
            height={height}
            label={words(buckets).text}
            points={buckets.map(({ calls, errors, startedAt }) => ({
              ok: calls - errors,
              error: errors,
              tip: startOf(startedAt),
            }))}
            onRange={(from, to) => change({ where: [...atAnyTime(search.where), ...callsOfTime(timeOf(buckets.slice(from, to + 1)))] })}
            part={(from, to) => {
              const part = buckets.slice(from, to + 1)
              const { calls, text } = words(part)
              if (calls === 0) return null
              const label = `${text}, from ${startOf(timeOf(part).startedAt)}`
              const where = [...atAnyTime(search.where), ...callsOfTime(timeOf(part))]
              return (
                <Link
                  to="/$entity/$project/calls"
                  params={{ entity, project: name }}
                  search={{ ...search, where }}
                  aria-label={label}
                  draggable={false}
                  className="absolute inset-0 rounded-xs -outline-offset-2"
                />
              )
            }}
          />
          <TimeAxis startedAt={startedAt} timeZone={timezone} />
        </>
      ) : (
        !query.error && <Skeleton className="h-14" />
      )}
      <Older found={older.data} search={search} start={query.data?.start} />
    </section>
  )
}

/** Round times, or the days, at which some of the bars begin. */
function TimeAxis({ startedAt, timeZone }: { startedAt: readonly string[]; timeZone: string }) {
  const labels = labelsOfTime(startedAt, timeZone)
  const shown = fitTicks([...labels.keys()], maxLabels).flatMap((place) => labels[place] ?? [])
  return (
    <div aria-hidden className="num relative mt-1 h-4 overflow-hidden text-2xs text-fg-3">
      {shown.map(({ at, text }, place) => (
        <span
          key={at}
          className={cx(
            'absolute whitespace-nowrap',
            place % 2 === 1 && 'max-lg:hidden',
            at / startedAt.length > 0.95 && '-translate-x-full',
          )}
          style={{ left: `${(at / startedAt.length) * 100}%` }}
        >
          {text}
        </span>
      ))}
    </div>
  )
}

/** Rows that the strip leaves out, since they started before its time. */
function Older({
  found,
  search,
  start,
}: {
  found: { count: number; has_more: boolean } | undefined
  search: CallsSearch
  start: string | undefined
}) {
  const { entity, project } = useProject()
  if (!found || found.count === 0 || start === undefined) return null
  return (
    <Link
      to="/$entity/$project/calls"
      params={{ entity, project }}
      search={{ ...search, where: [...atAnyTime(search.where), { path: 'started_at', operator: '<', value: start }] }}
      className="inline-block min-h-6 text-xs leading-6 text-accent-text hover:underline"
    >
      {`${found.has_more ? 'More than ' : ''}${found.count.toLocaleString('en')} started earlier`}
    </Link>
  )
}

function readBuckets({ call_buckets, ...grid }: BucketGrid & { call_buckets: readonly StatsBucket[] }): Bucket[] {
  const times = timesOf(call_buckets, grid)
  return call_buckets.map((bucket) => ({
    ...times(bucket),
    calls: numberAt(bucket, 'sum_call_count') ?? 0,
    errors: numberAt(bucket, 'sum_error_count') ?? 0,
  }))
}
