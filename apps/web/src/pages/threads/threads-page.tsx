import type { Thread } from '@heddle/core-api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { rangeTitles, timeRanges } from '../../app/time-range.ts'
import { useProject } from '../../app/use-project.ts'
import { formatDuration } from '../../components/duration.ts'
import { Empty } from '../../components/empty.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { readAhead } from '../../components/more-button.tsx'
import { Pending } from '../../components/pending.tsx'
import { QueryProblem } from '../../components/query-problem.tsx'
import { type GridColumn, RowsGrid } from '../../components/rows-grid.tsx'
import { Time } from '../../components/time.tsx'
import { threadsQuery } from './threads-queries.ts'
import { type ThreadOrder, threadOrders } from './threads-search.ts'

const route = getRouteApi('/$entity/$project/threads')
const orderTitles: Record<ThreadOrder, string> = {
  last_updated: 'latest first',
  turn_count: 'most turns first',
  p99_turn_duration_ms: 'slowest first',
}

/** The conversations of a project. */
export function ThreadsPage() {
  const { id, entity, project } = useProject()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const threads = useInfiniteQuery(threadsQuery(id, search))
  const rows = useMemo(() => threads.data?.pages.flat(), [threads.data])
  const columns = useMemo(() => columnsOf(entity, project), [entity, project])
  return (
    <>
      <h1>Threads</h1>
      <div className="row">
        <label htmlFor="threads-range">Turns of</label>
        <select
          id="threads-range"
          value={search.range ?? ''}
          onChange={({ target }) =>
            void navigate({ search: (before) => ({ ...before, range: timeRanges.find((known) => known === target.value) }) })
          }
        >
          <option value="">all time</option>
          {timeRanges.map((known) => (
            <option key={known} value={known}>
              the last {rangeTitles[known]}
            </option>
          ))}
        </select>
        <label htmlFor="threads-order">Order</label>
        <select
          id="threads-order"
          value={search.order ?? 'last_updated'}
          onChange={({ target }) =>
            void navigate({ search: (before) => ({ ...before, order: threadOrders.find((known) => known === target.value) }) })
          }
        >
          {threadOrders.map((known) => (
            <option key={known} value={known}>
              {orderTitles[known]}
            </option>
          ))}
        </select>
      </div>
      {threads.error && <QueryProblem error={threads.error} retry={() => void threads.refetch()} />}
      {threads.isPending && <Pending what="threads" />}
      {rows?.length === 0 && (
        <Empty title={search.range ? 'No conversation in this time' : 'No threads yet'}>
          A thread is a conversation over several traces. Give the calls of one conversation the same thread id, for example with the span
          attribute gen_ai.conversation.id.
        </Empty>
      )}
      {rows && rows.length > 0 && (
        <>
          <RowsGrid label="Threads" rows={rows} columns={columns} keyOf={({ thread_id }) => thread_id} onEnd={() => readAhead(threads)} />
          <LoadMore count={rows.length} query={threads} />
        </>
      )}
    </>
  )
}

function columnsOf(entity: string, project: string): GridColumn<Thread>[] {
  const duration = (ms: number | null) => (ms === null ? '' : formatDuration(ms))
  return [
    {
      title: 'Thread',
      rem: 12,
      grow: 3,
      hint: ({ thread_id }) => thread_id,
      cell: ({ thread_id }) => (
        <Link to="/$entity/$project/threads/$thread" params={{ entity, project, thread: thread_id }}>
          {thread_id}
        </Link>
      ),
    },
    { title: 'Turns', rem: 4.5, grow: 1, isNumber: true, cell: ({ turn_count }) => turn_count.toLocaleString('en') },
    { title: 'Started', rem: 13, grow: 1, cell: ({ start_time }) => <Time value={start_time} /> },
    { title: 'Last updated', rem: 13, grow: 1, cell: ({ last_updated }) => <Time value={last_updated} /> },
    {
      title: 'Turn, median',
      rem: 9.5,
      grow: 1,
      isNumber: true,
      cell: ({ p50_turn_duration_ms }) => duration(p50_turn_duration_ms),
    },
    {
      title: 'Turn, slowest 1 %',
      rem: 12,
      grow: 1,
      isNumber: true,
      cell: ({ p99_turn_duration_ms }) => duration(p99_turn_duration_ms),
    },
  ]
}
