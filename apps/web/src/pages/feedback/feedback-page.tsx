import { useInfiniteQuery, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { sessionQuery } from '../../app/session.ts'
import { useProject } from '../../app/use-project.ts'
import { ChooseRange } from '../../components/choose-range.tsx'
import { Empty } from '../../components/empty.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { readAhead } from '../../components/more-button.tsx'
import { NoteText } from '../../components/notes/note-text.tsx'
import { Pending } from '../../components/pending.tsx'
import { QueryProblem } from '../../components/query-problem.tsx'
import { type GridColumn, RowsGrid } from '../../components/rows-grid.tsx'
import { Time } from '../../components/time.tsx'
import type { AboutCall } from './about-call.ts'
import { noteType } from '../queues/answers/answer-types.ts'
import { aboutCallsQuery } from './about-calls-query.ts'
import { AboutCell } from './about-cell.tsx'
import { ChooseFeedback } from './choose-feedback.tsx'
import { shortType } from './feedback-marks.ts'
import { feedbackCountQuery, feedbackQuery } from './feedback-queries.ts'
import { FeedbackOverTime } from './over-time/feedback-over-time.tsx'
import type { FeedbackRow } from './to-feedback-row.ts'

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
  const { calls, isReading } = useQueries({ queries: pages.map((page) => aboutCallsQuery(id, page)), combine: joined })
  const columns = useMemo(() => columnsOf(entity, project, calls), [entity, project, calls])
  const { type, author, mentions, from, to, range = '7d' } = search
  const isChosen = [type, author, mentions, from, to].some((chosen) => chosen !== undefined)
  return (
    <>
      <h1>Feedback</h1>
      <ChooseFeedback key={`${type}\n${author}`} search={search} rows={rows ?? []} onChange={(next) => void navigate({ search: next })} />
      <div className="row">
        <ChooseRange range={range} onChange={(next) => void navigate({ search: (before) => ({ ...before, range: next }) })} />
      </div>
      <FeedbackOverTime range={range} type={type} />
      {(from !== undefined || to !== undefined) && (
        <p className="row">
          <span>
            Given{' '}
            {from !== undefined && (
              <>
                from <Time value={from} />
              </>
            )}{' '}
            {to !== undefined && (
              <>
                before <Time value={to} />
              </>
            )}
          </span>
          <Link
            to="/$entity/$project/feedback"
            params={{ entity, project }}
            search={(before) => ({ ...before, from: undefined, to: undefined })}
          >
            At any time
          </Link>
        </p>
      )}
      {count.data !== undefined && <p>{`${count.data.toLocaleString('en')} in all`}</p>}
      {feedback.error && <QueryProblem error={feedback.error} retry={() => void feedback.refetch()} />}
      {feedback.isPending && <Pending what="feedback" />}
      {rows?.length === 0 && (
        <Empty title={isChosen ? 'No feedback matches' : 'No feedback yet'}>
          {isChosen
            ? mentions === 'me'
              ? 'No such note mentions you. Notes mention people as @[name].'
              : 'Choose another type, author or time.'
            : 'Reactions, notes, annotations and scores of calls stand here. Annotation queues, scorers and programs give them.'}
        </Empty>
      )}
      {rows && rows.length > 0 && (
        <div aria-busy={isReading}>
          <RowsGrid label="Feedback" rows={rows} columns={columns} keyOf={(row) => row.id} onEnd={() => readAhead(feedback)} />
          <LoadMore count={rows.length} query={feedback} />
        </div>
      )}
    </>
  )
}

/** The calls of all pages that were read. */
const joined = (results: UseQueryResult<ReadonlyMap<string, AboutCall | null>>[]) => ({
  calls: new Map<string, AboutCall | null>(results.flatMap(({ data }) => [...(data ?? [])])),
  isReading: results.some(({ isLoading }) => isLoading),
})

function columnsOf(entity: string, project: string, calls: ReadonlyMap<string, AboutCall | null>): GridColumn<FeedbackRow>[] {
  const to = { to: '/$entity/$project/feedback', params: { entity, project } } as const
  return [
    {
      title: 'Type',
      rem: 9,
      grow: 2,
      hint: ({ type }) => type,
      cell: ({ type }) => (
        <Link {...to} search={(before) => ({ ...before, type })}>
          {shortType(type)}
        </Link>
      ),
    },
    {
      title: 'Value',
      rem: 12,
      grow: 4,
      hint: ({ value }) => value,
      cell: (row) => (row.type === noteType ? <NoteText text={row.value} /> : row.value),
    },
    {
      title: 'Author',
      rem: 8,
      grow: 1,
      hint: ({ author, creator }) => (author === creator ? author : `${creator} (${author})`),
      cell: ({ author, creator }) => (
        <Link {...to} search={(before) => ({ ...before, author })}>
          {creator}
        </Link>
      ),
    },
    { title: 'Given', rem: 13, grow: 1, cell: ({ createdAt }) => <Time value={createdAt} /> },
    {
      title: 'About',
      rem: 14,
      grow: 4,
      hint: ({ about }) => about,
      cell: (row) => <AboutCell row={row} calls={calls} />,
    },
  ]
}
