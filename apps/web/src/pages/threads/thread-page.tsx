import { ShowMessagePart } from '../trace/show-message-part.tsx'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { formatDuration } from '../../components/duration.ts'
import { Empty } from '../../components/empty.tsx'
import { formatCost } from '../../components/format-cost.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Pending } from '../../components/pending.tsx'
import { QueryProblem } from '../../components/query-problem.tsx'
import { Time } from '../../components/time.tsx'
import { FeedbackAbout } from '../feedback/about-one/feedback-about.tsx'
import { conversationRef, threadMarksQuery, turnsQuery } from './threads-queries.ts'
import type { Turn } from './to-turn.ts'

const route = getRouteApi('/$entity/$project/threads/$thread')

/** A conversation: its turns as one chat, each with its trace, cost and feedback. */
export function ThreadPage() {
  const { id, entity, project } = useProject()
  const { thread } = route.useParams()
  const query = useInfiniteQuery(turnsQuery(id, thread))
  const turns = useMemo(() => query.data?.pages.flat(), [query.data])
  return (
    <>
      <p>
        <Link to="/$entity/$project/threads" params={{ entity, project }}>
          All threads
        </Link>
      </p>
      <h1>{thread}</h1>
      {query.error && <QueryProblem error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Pending what="the conversation" />}
      {turns?.length === 0 && (
        <Empty title="No turns">
          This thread has no turns: its calls were deleted, or none of them has its own id as turn id.{' '}
          <Link
            to="/$entity/$project/calls"
            params={{ entity, project }}
            search={{ level: 'all', where: [{ path: 'thread_id', operator: '=', value: thread }] }}
          >
            Calls with this thread id
          </Link>
        </Empty>
      )}
      {turns && turns.length > 0 && (
        <>
          <FeedbackOnThread key={thread} thread={thread} />
          <ol className="turns">
            {turns.map((turn, at) => (
              <ShowTurn key={turn.id} turn={turn} number={at + 1} />
            ))}
          </ol>
          <LoadMore count={turns.length} query={query} />
        </>
      )}
    </>
  )
}

/** What people and programs say of the whole conversation, and the way to say more. */
function FeedbackOnThread({ thread }: { thread: string }) {
  const project = useProject()
  const queries = useQueryClient()
  const marks = useQuery(threadMarksQuery(project, [thread])).data?.get(thread) ?? []
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Feedback on this conversation{' '}
        {marks.map((mark) => (
          <span key={mark} className="tag">
            {mark}
          </span>
        ))}
      </summary>
      {isOpen && (
        <FeedbackAbout
          about={conversationRef(project, thread)}
          what="conversation"
          onChange={() => void readAgain(queries, ['thread-marks', project.id])}
        />
      )}
    </details>
  )
}

function ShowTurn({ turn, number }: { turn: Turn; number: number }) {
  const { entity, project } = useProject()
  const facts = [
    turn.latencyMs === null ? 'running' : formatDuration(turn.latencyMs),
    turn.tokens === null ? undefined : `${turn.tokens.toLocaleString('en')} tokens`,
    turn.cost === null ? (turn.tokens === null ? undefined : 'no known price') : formatCost(turn.cost),
  ].filter((fact) => fact !== undefined)
  return (
    <li>
      <p className="muted">
        <Link to="/$entity/$project/calls/$call" params={{ entity, project, call: turn.id }} aria-label={`Trace of turn ${number}`}>
          {turn.name}
        </Link>{' '}
        <span className={`status-${turn.status}`}>{turn.status}</span> · <Time value={turn.startedAt} /> · {facts.join(' · ')}{' '}
        {turn.feedback.map((text) => (
          <Link
            key={text}
            className="tag"
            to="/$entity/$project/calls/$call"
            params={{ entity, project, call: turn.id }}
            search={{ tab: 'feedback' }}
          >
            {text}
          </Link>
        ))}
      </p>
      {turn.messages.map(({ role, parts }, at) => (
        // Messages keep their places in a turn.
        <div key={String(at)} className={role === 'user' || role === 'input' ? 'said asked' : 'said'}>
          <span className="muted">{role}</span>
          {parts.map((part, place) => (
            <ShowMessagePart
              key={String(place)}
              part={part}
              label={`Turn ${number}, ${role}, ${at + 1}${place === 0 ? '' : `, part ${place + 1}`}`}
            />
          ))}
        </div>
      ))}
      {turn.exception !== null && (
        <div className="problem">
          <LongText label={`Error of turn ${number}`} text={turn.exception} />
        </div>
      )}
    </li>
  )
}
