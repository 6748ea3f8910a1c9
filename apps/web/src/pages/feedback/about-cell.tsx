import { Link } from '@tanstack/react-router'
import { useProject } from '../../lib/use-project.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { signOfKind } from '../../features/calls/kind-of-call.ts'
import { KindIcon } from '../../ui/badge.tsx'
import type { AboutCall } from '../../features/calls/about/about-call.ts'
import type { FeedbackRow } from './to-feedback-row.ts'

const link = 'leading-6 text-accent-text hover:underline'

/** The subject of a feedback: a call by its name and the start of its input, an object or a conversation by its name. */
export function AboutCell({ row, calls }: { row: FeedbackRow; calls: ReadonlyMap<string, AboutCall | null> }) {
  const { entity, project } = useProject()
  const { about, callId, threadId, version } = row
  if (version !== undefined) {
    const { entity: owner, project: home, kind, name: object } = version
    const params = { entity: owner, project: home, kind, object }
    return (
      <>
        <Link to="/$entity/$project/$kind/$object" params={params} search={{ version: version.digest }} className={link}>
          {version.name}
        </Link>{' '}
        <span className="mono text-fg-3">{version.digest.slice(0, 7)}</span>
      </>
    )
  }
  if (threadId !== undefined) {
    return (
      <Link to="/$entity/$project/threads/$thread" params={{ entity, project, thread: threadId }} className={link}>
        Thread {threadId}
      </Link>
    )
  }
  if (callId === undefined) return <>{about}</>
  const call = calls.get(callId)
  return (
    <>
      {call && (
        <span className="mr-1.5 inline-flex align-middle">
          <KindIcon kind={signOfKind(call.kind)} size={16} />
        </span>
      )}
      <Link to="/$entity/$project/calls/$call" params={{ entity, project, call: callId }} search={{ tab: 'feedback' }} className={link}>
        {call ? readableName(call.name) : `Call ${callId}`}
      </Link>{' '}
      <span className="text-fg-3">{call === null ? 'not there any more' : call?.input}</span>
    </>
  )
}
