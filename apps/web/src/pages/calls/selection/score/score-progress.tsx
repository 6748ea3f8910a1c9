import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../../../app/use-project.ts'
import { QueryProblem } from '../../../../components/query-problem.tsx'
import { pollMs, readScoreCalls } from './score-queries.ts'
import { type AskedScore, progressOf, scoresOfCalls } from './scores-of-calls.ts'

interface Asked {
  callIds: readonly string[]
  scorers: readonly string[]
  before: ReadonlySet<string>
  /** When it was asked for; the same may be asked for again. */
  atMs: number
}

/** Without a new score for so long, the page asks no more until a person does. */
const stallMs = 5 * 60_000
const isWaiting = ({ state }: AskedScore) => state === 'waiting'

/** Follows scores that were asked for until each is made or has failed. */
export function ScoreProgress({ asked }: { asked: Asked }) {
  const { id: project } = useProject()
  const [news, setNews] = useState({ waiting: asked.callIds.length * asked.scorers.length, atMs: Date.now() })
  const query = useQuery({
    queryKey: ['asked-scores', project, asked],
    queryFn: async ({ signal }) => {
      const scores = scoresOfCalls(asked, await readScoreCalls(project, asked, { signal }))
      return { scores, readAtMs: Date.now() }
    },
    refetchInterval: ({ state: { data } }) => {
      if (data?.scores.some(isWaiting) === false) return false
      return Date.now() - news.atMs > stallMs ? false : pollMs
    },
    refetchIntervalInBackground: false,
  })
  const { scores, readAtMs } = query.data ?? { scores: scoresOfCalls(asked, []), readAtMs: news.atMs }
  const waiting = scores.filter(isWaiting).length
  if (waiting < news.waiting) setNews({ waiting, atMs: Date.now() })
  const isLate = waiting > 0 && readAtMs - news.atMs > stallMs
  return (
    <>
      <p role="status">{progressOf(scores)}</p>
      {isLate && (
        <p className="notice">
          There was no new score for 5 minutes. The server skips calls that were deleted; it may also be busy.{' '}
          <button type="button" onClick={() => setNews({ waiting, atMs: Date.now() })}>
            Look again
          </button>
        </p>
      )}
      {query.error && <QueryProblem error={query.error} retry={() => void query.refetch()} />}
      <ScoresTable scores={scores} />
    </>
  )
}

function ScoresTable({ scores }: { scores: readonly AskedScore[] }) {
  const { entity, project } = useProject()
  const call = (id: string) => ({ to: '/$entity/$project/calls/$call', params: { entity, project, call: id } }) as const
  return (
    <div className="scroll asked-scores" tabIndex={0} role="region" aria-label="Scores">
      <table>
        <thead>
          <tr>
            <th scope="col">Call</th>
            <th scope="col">Scorer</th>
            <th scope="col">Score</th>
            <th scope="col">Details</th>
          </tr>
        </thead>
        <tbody>
          {scores.map(({ callId, scorer, state, text, scoreCallId }) => (
            <tr key={`${callId} ${scorer}`}>
              <td>
                <Link {...call(callId)} search={{ tab: 'feedback' }}>
                  {callId}
                </Link>
              </td>
              <td>{scorer}</td>
              <td className={state === 'failed' ? 'status-error' : undefined}>
                {state === 'waiting' ? 'waiting …' : state === 'failed' ? `failed: ${text}` : text}
              </td>
              <td>{scoreCallId !== undefined && <Link {...call(scoreCallId)}>the call that scored it</Link>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
