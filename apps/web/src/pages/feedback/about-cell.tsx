import { Link } from '@tanstack/react-router'
import { useProject } from '../../app/use-project.ts'
import { readableName } from '../../components/readable-name.ts'
import { KindIcon } from '../calls/kind-icon.tsx'
import type { AboutCall } from './about-call.ts'
import type { FeedbackRow } from './to-feedback-row.ts'

/** What a feedback is about: a call by its name and the start of its input, an object or a conversation by its name. */
export function AboutCell({ row, calls }: { row: FeedbackRow; calls: ReadonlyMap<string, AboutCall | null> }) {
  const { entity, project } = useProject()
  const { about, callId, threadId, version } = row
  if (version !== undefined) {
    const { entity: owner, project: home, kind, name: object } = version
    const params = { entity: owner, project: home, kind, object }
    return (
      <>
        <Link to="/$entity/$project/$kind/$object" params={params} search={{ version: version.digest }}>
          {version.name}
        </Link>{' '}
        <span className="muted">{version.digest.slice(0, 7)}</span>
      </>
    )
  }
  if (threadId !== undefined) {
    return (
      <Link to="/$entity/$project/threads/$thread" params={{ entity, project, thread: threadId }}>
        Conversation {threadId}
      </Link>
    )
  }
  if (callId === undefined) return about
  const call = calls.get(callId)
  return (
    <>
      {call && <KindIcon kind={call.kind} />}
      <Link to="/$entity/$project/calls/$call" params={{ entity, project, call: callId }} search={{ tab: 'feedback' }}>
        {call ? readableName(call.name) : `Call ${callId}`}
      </Link>{' '}
      <span className="muted">{call === null ? 'not there any more' : call?.input}</span>
    </>
  )
}
