import { useInfiniteQuery, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { SearchX, ThumbsUp } from 'lucide-react'
import { useMemo } from 'react'
import { sessionQuery } from '../../lib/server/session.ts'
import { useProject } from '../../lib/use-project.ts'
import { ChooseRange } from '../../ui/time/choose-range.tsx'
import { MoreButton, readAhead } from '../../ui/table/more-button.tsx'
import { NoteText } from '../../features/notes/note-text.tsx'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { PageFooter, PageHead } from '../../ui/page.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { noteType } from '../../features/queues/answer-types.ts'
import type { AboutCall } from '../../features/calls/about/about-call.ts'
import { aboutCallsQuery } from '../../features/calls/about/about-calls-query.ts'
import { AboutCell } from './about-cell.tsx'
import { FeedbackFilter } from './feedback-filter.tsx'
import { nameOfType } from '../../features/feedback/feedback-marks.ts'
import { feedbackCountQuery, feedbackQuery } from './feedback-queries.ts'
import { FeedbackOverTime } from './over-time/feedback-over-time.tsx'
import type { FeedbackRow } from './to-feedback-row.ts'
import { timeColumn } from '../../ui/table/column-kinds.tsx'

const route = getRouteApi('/$entity/$project/feedback')

/** Reactions, notes, annotations and scores of a project, the newest first. */
export function FeedbackPage() {
  const { id, entity, project } = useProject()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const username = useQuery(sessionQuery).data?.username
  const selection = { ...search, mentioned: search.mentions === 'me' ? username : undefined }
  const feedback = useInfiniteQuery(feedbackQuery(id, selection))
  const count = useQuery(feedbackCountQuery(id, selection))
  const rows = useMemo(() => feedback.data?.pages.flat(), [feedback.data])
  const pages = feedback.data?.pages ?? []
  const { calls, isReading } = useQueries({
    queries: pages.map((page) =>
      aboutCallsQuery(
        id,
        page.flatMap(({ callId }) => callId ?? []),
      ),
    ),
    combine: joined,
  })
  const columns = useMemo(() => columnsOf(entity, project, calls), [entity, project, calls])
  const { type, author, mentions, from, to, range = '7d' } = search
  const isFiltered = [type, author, mentions, from, to].some((chosen) => chosen !== undefined)
  return (
    <div data-flush className="flex h-full min-h-0 flex-col">
      <PageHead
        title="Feedback"
        actions={<ChooseRange range={range} onChange={(next) => void navigate({ search: (before) => ({ ...before, range: next }) })} />}
      />
      <FeedbackFilter search={search} rows={rows ?? []} onChange={(next) => void navigate({ search: next })} />
      <div className="flex min-h-0 grow flex-col gap-4 overflow-auto p-4" tabIndex={0} role="region" aria-label="Feedback and its charts">
        <FeedbackOverTime range={range} type={type} />
        {feedback.error && <QueryProblem error={feedback.error} retry={() => void feedback.refetch()} />}
        {(rows !== undefined || feedback.isPending) && (
          <div aria-busy={isReading} className="flex min-h-80 min-w-0 grow flex-col overflow-hidden rounded-lg border border-line">
            <DataTable
              label="Feedback"
              name="feedback"
              rows={rows ?? noRows}
              columns={columns}
              rowId={(row) => row.id}
              isLoading={feedback.isPending}
              onEnd={() => readAhead(feedback)}
              empty={isFiltered ? <NoMatch isOfMentions={mentions === 'me'} /> : <NoFeedback />}
            />
          </div>
        )}
      </div>
      <PageFooter>
        <span role="status" className="num">
          {count.data !== undefined && `${count.data.toLocaleString('en')} in all`}
        </span>
        <MoreButton query={feedback}>Load more</MoreButton>
      </PageFooter>
    </div>
  )
}

const noRows: readonly FeedbackRow[] = []

const NoFeedback = () => (
  <EmptyState icon={ThumbsUp} title="No feedback yet">
    Reactions, notes and scores of traces and threads. People, scorers and programs give them.
  </EmptyState>
)

const NoMatch = ({ isOfMentions }: { isOfMentions: boolean }) => (
  <EmptyState icon={SearchX} title="No feedback matches">
    {isOfMentions ? 'Notes mention people as @[name].' : 'Choose another type, author or time.'}
  </EmptyState>
)

/** The calls of all pages that were read. */
const joined = (results: UseQueryResult<ReadonlyMap<string, AboutCall | null>>[]) => ({
  calls: new Map<string, AboutCall | null>(results.flatMap(({ data }) => [...(data ?? [])])),
  isReading: results.some(({ isLoading }) => isLoading),
})

function columnsOf(entity: string, project: string, calls: ReadonlyMap<string, AboutCall | null>): Column<FeedbackRow>[] {
  const to = { to: '/$entity/$project/feedback', params: { entity, project } } as const
  const link = 'inline-block max-w-full truncate align-middle leading-6 hover:underline'
  return [
    timeColumn('given', 'Given', ({ createdAt }) => createdAt, { sort: false, align: 'left' }),
    {
      id: 'type',
      title: 'Type',
      width: 'minmax(128px, 1fr)',
      hint: ({ type }) => type,
      cell: ({ type }) => (
        <Link {...to} search={(before) => ({ ...before, type })} className={link}>
          {nameOfType(type)}
        </Link>
      ),
    },
    {
      id: 'value',
      title: 'Value',
      width: 'minmax(160px, 2fr)',
      hint: ({ value }) => value,
      cell: (row) => (row.type === noteType ? <NoteText text={row.value} /> : row.value),
    },
    {
      id: 'author',
      title: 'Author',
      width: 'minmax(112px, 0.7fr)',
      hint: ({ author, creator }) => (author === creator ? author : `${creator} (${author})`),
      cell: ({ author, creator }) => (
        <Link {...to} search={(before) => ({ ...before, author })} className={link}>
          {creator}
        </Link>
      ),
    },
    {
      id: 'about',
      title: 'About',
      width: 'minmax(200px, 2fr)',
      hint: ({ about }) => about,
      cell: (row) => <AboutCell row={row} calls={calls} />,
    },
  ]
}
