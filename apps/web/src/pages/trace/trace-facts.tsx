import { formatTimestamp } from '@heddle/core-api'
import type { Call } from '@heddle/core-api/types'
import { memberOf } from '@heddle/core-api/internal'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { timeText } from '../../lib/time/time-text.ts'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { useProject } from '../../lib/use-project.ts'
import { Time } from '../../ui/time/time.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'

const look = 'inline-block min-h-6 max-w-40 truncate align-middle leading-6 text-accent-text hover:underline'

const TrajectoriesOfTrace = lazyPart(() => import('./around-trace.ts').then(({ TrajectoriesOfTrace }) => TrajectoriesOfTrace))

interface Properties {
  /** The span that the page was opened with. */
  call: Call
  /** The thread of the trace, whichever span names it; null for none. */
  threadId: string | null
  /** Start of the root; milliseconds since 1970. */
  startedAt: number
}

/** Who a trace is of and when it began, with the conversation and the trajectories that it is part of. */
export function TraceFacts({ call, threadId, startedAt }: Properties) {
  const project = useProject()
  const user = userOf(call)
  const timeZone = useTimeZone()
  const started = formatTimestamp(Math.round(startedAt * 1_000))
  return (
    <>
      <Suspense>
        <TrajectoriesOfTrace traceId={call.trace_id} look={look} />
      </Suspense>
      {user !== undefined && (
        <span>
          user <span className="mono inline-block max-w-40 truncate align-middle text-fg-2">{user}</span>
        </span>
      )}
      {threadId !== null && (
        <span>
          thread{' '}
          <Link to="/$entity/$project/threads/$thread" params={{ ...project, thread: threadId }} className={`mono ${look}`}>
            {threadId}
          </Link>
        </span>
      )}
      <span className="num">
        <Time value={started} text={timeText(started, timeZone, { hasSeconds: true })} />
      </span>
    </>
  )
}

/** The user whom the program served, from its span; not the sender of the call. */
function userOf({ attributes }: Call): string | undefined {
  const sent = memberOf(memberOf(attributes, 'otel_span'), 'attributes')
  const user = [memberOf(memberOf(sent, 'user'), 'id'), memberOf(sent, 'user.id'), memberOf(attributes, 'user_id')]
  return user.find((one) => typeof one === 'string' && one !== '') as string | undefined
}
