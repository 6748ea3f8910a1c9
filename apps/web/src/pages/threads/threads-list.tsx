import type { Thread } from '@heddle/core-api/types'
import { useInfiniteQuery, useQueries, type UseQueryResult } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { MessagesSquare, Search, SearchX } from 'lucide-react'
import { type FormEvent, useMemo, useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { useProject } from '../../lib/use-project.ts'
import { formatDuration } from '../../lib/time/duration.ts'
import { MoreButton } from '../../ui/table/more-button.tsx'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { readableName } from '../../lib/texts/readable-name.ts'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { cx } from '../../lib/cx.ts'
import { EmptyState, Skeleton } from '../../ui/card.tsx'
import { Input } from '../../ui/field.tsx'
import { PageFooter } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { feedbackTitles } from './feedback-filter.ts'
import type { ThreadTexts } from './thread-texts.ts'
import { threadMarksQuery, threadsQuery, threadTextsQuery } from './threads-queries.ts'
import { threadFeedback, type ThreadOrder, threadOrders, type ThreadsSearch } from './threads-search.ts'

const route = getRouteApi('/$entity/$project/threads')
const orderTitles: Record<ThreadOrder, string> = { last_updated: 'Latest', turn_count: 'Most turns', p99_turn_duration_ms: 'Slowest' }

/** The threads of a project, each with its beginning and its latest state. `picked` is the open one; without it, the first one is open. */
export function ThreadsList({ picked }: { picked: string | undefined }) {
  const project = useProject()
  const search = route.useSearch()
  const threads = useInfiniteQuery(threadsQuery(project.id, search))
  const pages = threads.data?.pages ?? []
  const rows = useMemo(() => threads.data?.pages.flat(), [threads.data])
  const idsOf = (page: readonly Thread[]) => page.map(({ thread_id }) => thread_id)
  const marks = useQueries({ queries: pages.map((page) => threadMarksQuery(project, idsOf(page))), combine: joinMarks })
  const texts = useQueries({ queries: pages.map((page) => threadTextsQuery(project.id, page)), combine: joinTexts })
  return (
    <div
      className={cx(
        'flex shrink-0 flex-col border-line md:w-66 md:border-r xl:w-88 max-md:max-h-1/2 max-md:border-b',
        picked !== undefined && 'max-md:hidden',
      )}
    >
      <ListFilter search={search} />
      <div className="min-h-0 grow overflow-auto" aria-busy={threads.isPending || marks.isLoading || texts.isLoading}>
        {threads.error && (
          <div className="px-3">
            <QueryProblem error={threads.error} retry={() => void threads.refetch()} />
          </div>
        )}
        {threads.isPending && <Waiting />}
        {rows?.length === 0 && <NoThreads search={search} />}
        {rows && rows.length > 0 && (
          <ul aria-label="Threads" className="flex flex-col">
            {rows.map((thread) => (
              <Entry
                key={thread.thread_id}
                thread={thread}
                texts={texts.read.get(thread.thread_id)}
                marks={marks.read.get(thread.thread_id)}
                isPicked={thread.thread_id === (picked ?? rows[0]?.thread_id)}
              />
            ))}
          </ul>
        )}
      </div>
      <PageFooter>
        <span role="status" className="num whitespace-nowrap">
          {rows && `${countText(rows.length, 'thread')}${threads.hasNextPage ? ' loaded' : ''}`}
        </span>
        <MoreButton query={threads}>Load more</MoreButton>
      </PageFooter>
    </div>
  )
}

interface ListDetails<Value> {
  read: ReadonlyMap<string, Value>
  isLoading: boolean
}
const join = <Value,>(results: UseQueryResult<ReadonlyMap<string, Value>>[]): ListDetails<Value> => ({
  read: new Map(results.flatMap(({ data }) => [...(data ?? [])])),
  isLoading: results.some(({ isLoading }) => isLoading),
})
const joinMarks = (results: UseQueryResult<ReadonlyMap<string, readonly string[]>>[]) => join(results)
const joinTexts = (results: UseQueryResult<ReadonlyMap<string, ThreadTexts>>[]) => join(results)

function ListFilter({ search: { order = 'last_updated', feedback } }: { search: ThreadsSearch }) {
  const navigate = route.useNavigate()
  return (
    <div className="flex shrink-0 flex-col gap-2 border-b border-line p-3">
      <OpenById />
      <div className="flex flex-wrap gap-2">
        <Select
          inside
          label="Sort"
          value={order}
          choices={threadOrders.map((known) => ({ value: known, label: orderTitles[known] }))}
          onChange={(value) => void navigate({ search: (before) => ({ ...before, order: threadOrders.find((known) => known === value) }) })}
        />
        <Select
          inside
          label="Feedback"
          value={feedback ?? ''}
          choices={[{ value: '', label: 'Any' }, ...threadFeedback.map((known) => ({ value: known, label: feedbackTitles[known] }))]}
          onChange={(value) =>
            void navigate({ search: (before) => ({ ...before, feedback: threadFeedback.find((known) => known === value) }) })
          }
        />
      </div>
    </div>
  )
}

function OpenById() {
  const { entity, project } = useProject()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  function open(event: FormEvent) {
    event.preventDefault()
    const thread = typed.trim()
    if (thread !== '')
      void navigate({ to: '/$entity/$project/threads/$thread', params: { entity, project, thread }, search: (before) => before })
  }
  return (
    <form onSubmit={open}>
      <Input
        icon={Search}
        aria-label="Thread ID"
        placeholder="Open by thread ID"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </form>
  )
}

interface EntryProperties {
  thread: Thread
  /** Undefined until they are read. */
  texts: ThreadTexts | undefined
  marks: readonly string[] | undefined
  isPicked: boolean
}

function Entry({ thread: { thread_id, turn_count, last_updated, p50_turn_duration_ms }, texts, marks, isPicked }: EntryProperties) {
  const { entity, project } = useProject()
  const title = texts?.first === undefined || texts.first === '' ? thread_id : texts.first
  return (
    <li className="border-b border-line">
      <Link
        to="/$entity/$project/threads/$thread"
        params={{ entity, project, thread: thread_id }}
        search={(before) => before}
        aria-current={isPicked ? 'true' : undefined}
        className={cx(
          'block px-4 py-2.5 -outline-offset-2',
          isPicked ? 'bg-selected shadow-[inset_2px_0_var(--accent)]' : 'hover:bg-hover',
        )}
      >
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 grow truncate font-medium" data-cut="" data-tip={readableName(title.slice(0, 300))}>
            {title}
          </span>
          <span className="num shrink-0 text-xs text-fg-3">
            <TimeInColumn value={last_updated} />
          </span>
        </span>
        {texts === undefined ? (
          <Skeleton className="my-1.5 h-2.5 w-4/5" />
        ) : (
          <span className={cx('mt-0.5 block h-5 truncate', texts.isFailed ? 'text-red-text' : 'text-fg-2')}>
            {texts.isFailed && <span className="sr-only">Failed: </span>}
            {texts.last || <span className="text-fg-3">–</span>}
          </span>
        )}
        <span className="num mt-1 flex h-5 items-center gap-1.5 text-xs whitespace-nowrap text-fg-3">
          <span>
            {[countText(turn_count, 'turn'), ...(p50_turn_duration_ms === null ? [] : [formatDuration(p50_turn_duration_ms)])].join(' · ')}
          </span>
          <span aria-hidden>·</span>
          <span className="mono min-w-0 shrink truncate">{thread_id}</span>
          <span className="grow" />
          {marks !== undefined && (
            <span className="max-w-2/5 truncate text-fg-2" data-cut="" data-tip={readableName(marks.join(', '))}>
              {marks.join(' · ')}
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}

const waiting = ['w-3/5', 'w-2/5', 'w-1/2', 'w-3/4', 'w-2/5', 'w-3/5']

const Waiting = () => (
  <div role="status">
    <span className="sr-only">Loading threads</span>
    {waiting.map((width, at) => (
      // They are all the same.
      <div key={String(at)} aria-hidden className="flex h-21 flex-col justify-center gap-2.5 border-b border-line px-4">
        <Skeleton className={`h-2.5 ${width}`} />
        <Skeleton className="h-2.5 w-4/5" />
        <Skeleton className="h-2.5 w-1/3" />
      </div>
    ))}
  </div>
)

function NoThreads({ search: { range, feedback } }: { search: ThreadsSearch }) {
  const { entity, project } = useProject()
  if (range === undefined && feedback === undefined) {
    return (
      <EmptyState icon={MessagesSquare} title="No threads yet">
        Give the calls of one conversation the same thread ID, for example as the span attribute{' '}
        <code className="[overflow-wrap:anywhere]">gen_ai.conversation.id</code>.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={SearchX}
      title="No threads match"
      actions={
        <Link
          to="/$entity/$project/threads"
          params={{ entity, project }}
          search={{}}
          className="font-medium text-accent-text hover:underline"
        >
          Clear filters
        </Link>
      }
    />
  )
}
