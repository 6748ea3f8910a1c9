import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../../../lib/use-project.ts'
import { QueryProblem } from '../../../../ui/states/query-problem.tsx'
import { Button } from '../../../../ui/button.tsx'
import { ListTable } from '../../../../ui/list-table.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { pollMs, readScoreCalls } from './score-queries.ts'
import { type RequestedScore, progressOf, type ScoreRequest, scoresOfCalls } from './scores-of-calls.ts'
import { textColumn } from '../../../../ui/table/column-kinds.tsx'

interface SentRequest extends ScoreRequest {
  /** When it was sent; an equal one may be sent again. */
  atMs: number
}

/** Without a new score for this long, the page stops polling until the user resumes it. */
const stallMs = 5 * 60_000
const isWaiting = ({ state }: RequestedScore) => state === 'waiting'

/** Follows requested scores until each is created or has failed. */
export function ScoreProgress({ request }: { request: SentRequest }) {
  const { id: project } = useProject()
  const [news, setNews] = useState({ waiting: request.callIds.length * request.scorers.length, atMs: Date.now() })
  const query = useQuery({
    queryKey: ['requested-scores', project, request],
    queryFn: async ({ signal }) => {
      const scores = scoresOfCalls(request, await readScoreCalls(project, request, { signal }))
      return { scores, readAtMs: Date.now() }
    },
    refetchInterval: ({ state: { data } }) => {
      if (data?.scores.some(isWaiting) === false) return false
      return Date.now() - news.atMs > stallMs ? false : pollMs
    },
    refetchIntervalInBackground: false,
  })
  const { scores, readAtMs } = query.data ?? { scores: scoresOfCalls(request, []), readAtMs: news.atMs }
  const waiting = scores.filter(isWaiting).length
  if (waiting < news.waiting) setNews({ waiting, atMs: Date.now() })
  const isLate = waiting > 0 && readAtMs - news.atMs > stallMs
  return (
    <>
      <p role="status">{progressOf(scores)}</p>
      {isLate && (
        <Notice
          tone="warning"
          title="No new score for 5 minutes"
          actions={<Button onClick={() => setNews({ waiting, atMs: Date.now() })}>Look again</Button>}
        >
          The server skips calls that were deleted; it may also be busy.
        </Notice>
      )}
      {query.error && <QueryProblem error={query.error} retry={() => void query.refetch()} />}
      <ScoresTable scores={scores} />
    </>
  )
}

function ScoresTable({ scores }: { scores: readonly RequestedScore[] }) {
  const { entity, project } = useProject()
  const call = (id: string) => ({ to: '/$entity/$project/calls/$call', params: { entity, project, call: id } }) as const
  const link = 'text-accent-text hover:underline'
  return (
    <ListTable<RequestedScore>
      label="Scores"
      rows={[...scores]}
      rowId={({ callId, scorer }) => `${callId} ${scorer}`}
      columns={[
        {
          id: 'call',
          title: 'Call',
          cell: ({ callId }) => (
            <Link {...call(callId)} search={{ tab: 'feedback' }} className={`mono ${link}`}>
              {callId}
            </Link>
          ),
        },
        textColumn('scorer', 'Scorer', '120px', ({ scorer }) => scorer),
        {
          id: 'score',
          title: 'Score',
          cell: ({ state, text }) => (
            <span className={state === 'failed' ? 'text-red-text' : undefined}>
              {state === 'waiting' ? 'waiting …' : state === 'failed' ? `failed: ${text}` : text}
            </span>
          ),
        },
        {
          id: 'details',
          title: 'Details',
          width: '150px',
          cell: ({ scoreCallId }) =>
            scoreCallId !== undefined && (
              <Link {...call(scoreCallId)} className={link}>
                the call that scored it
              </Link>
            ),
        },
      ]}
    />
  )
}
