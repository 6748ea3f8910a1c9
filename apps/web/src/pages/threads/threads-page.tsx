import type { Thread } from '@heddle/core-api'
import { useInfiniteQuery, useQueries, type UseQueryResult } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { rangeTitles, timeRanges } from '../../app/time-range.ts'
import { type ProjectName, useProject } from '../../app/use-project.ts'
import { formatDuration } from '../../components/duration.ts'
import { Empty } from '../../components/empty.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { readAhead } from '../../components/more-button.tsx'
import { Pending } from '../../components/pending.tsx'
import { QueryProblem } from '../../components/query-problem.tsx'
import { type GridColumn, RowsGrid } from '../../components/rows-grid.tsx'
import { Time } from '../../components/time.tsx'
import { feedbackTitles } from './feedback-filter.ts'
import { threadMarksQuery, threadsQuery } from './threads-queries.ts'
import { threadFeedback, type ThreadOrder, threadOrders, type ThreadsSearch } from './threads-search.ts'

const route = getRouteApi('/$entity/$project/threads')
const orderTitles: Record<ThreadOrder, string> = {
  last_updated: 'latest first',
  turn_count: 'most turns first',
  p99_turn_duration_ms: 'slowest first',
}

/** The conversations of a project. */
export function ThreadsPage() {
  const project = useProject()
  const { id } = project
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const threads = useInfiniteQuery(threadsQuery(id, search))
  const rows = useMemo(() => threads.data?.pages.flat(), [threads.data])
  const pages = threads.data?.pages ?? []
  const idsOf = (page: readonly Thread[]) => page.map(({ thread_id }) => thread_id)
  const { marks, isReading } = useQueries({ queries: pages.map((page) => threadMarksQuery(project, idsOf(page))), combine: joined })
  const columns = useMemo(
    () => columnsOf({ entity: project.entity, project: project.project }, marks),
    [project.entity, project.project, marks],
  )
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
        <label htmlFor="threads-feedback">Feedback</label>
        <select
          id="threads-feedback"
          value={search.feedback ?? ''}
          onChange={({ target }) =>
            void navigate({ search: (before) => ({ ...before, feedback: threadFeedback.find((known) => known === target.value) }) })
          }
        >
          <option value="">with or without</option>
          {threadFeedback.map((known) => (
            <option key={known} value={known}>
              {feedbackTitles[known]}
            </option>
          ))}
        </select>
      </div>
      {threads.error && <QueryProblem error={threads.error} retry={() => void threads.refetch()} />}
      {threads.isPending && <Pending what="threads" />}
      {rows?.length === 0 && <NoThreads search={search} />}
      {rows && rows.length > 0 && (
        <div aria-busy={isReading}>
          <RowsGrid label="Threads" rows={rows} columns={columns} keyOf={({ thread_id }) => thread_id} onEnd={() => readAhead(threads)} />
          <LoadMore count={rows.length} query={threads} />
        </div>
      )}
    </>
  )
}

function NoThreads({ search: { range, feedback } }: { search: ThreadsSearch }) {
  if (feedback === 'none') {
    return <Empty title="No conversation without feedback">Each conversation was given some. Choose other feedback or another time.</Empty>
  }
  if (feedback !== undefined) {
    return (
      <Empty title="No conversation was given such feedback">
        Choose other feedback or another time. Feedback on a whole conversation is given on its page, or by programs; that on single calls
        does not count here.
      </Empty>
    )
  }
  return (
    <Empty title={range ? 'No conversation in this time' : 'No threads yet'}>
      A thread is a conversation over several traces. Give the calls of one conversation the same thread id, for example with the span
      attribute gen_ai.conversation.id.
    </Empty>
  )
}

type Marks = ReadonlyMap<string, readonly string[]>

/** The marks of all pages that were read. */
const joined = (results: UseQueryResult<Marks>[]) => ({
  marks: new Map<string, readonly string[]>(results.flatMap(({ data }) => [...(data ?? [])])),
  isReading: results.some(({ isLoading }) => isLoading),
})

function columnsOf({ entity, project }: Pick<ProjectName, 'entity' | 'project'>, marks: Marks): GridColumn<Thread>[] {
  const duration = (ms: number | null) => (ms === null ? '' : formatDuration(ms))
  return [
    {
      title: 'Thread',
      rem: 10,
      grow: 3,
      hint: ({ thread_id }) => thread_id,
      cell: ({ thread_id }) => (
        <Link to="/$entity/$project/threads/$thread" params={{ entity, project, thread: thread_id }}>
          {thread_id}
        </Link>
      ),
    },
    { title: 'Turns', rem: 4.5, grow: 1, isNumber: true, cell: ({ turn_count }) => turn_count.toLocaleString('en') },
    {
      title: 'Feedback',
      rem: 11.5,
      grow: 3,
      hint: ({ thread_id }) => marks.get(thread_id)?.join(', '),
      cell: ({ thread_id }) => marks.get(thread_id)?.join(' · '),
    },
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
