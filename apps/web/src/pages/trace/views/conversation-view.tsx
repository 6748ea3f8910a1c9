import type { Message } from '@heddle/trace-model'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDuration } from '../../../components/duration.ts'
import { Failure } from '../../../components/failure.tsx'
import { Pending } from '../../../components/pending.tsx'
import { readableName } from '../../../components/readable-name.ts'
import { ShowMessages } from '../show-messages.tsx'
import type { TraceCall } from '../trace-queries.ts'
import { callsAtOnce, type MessagesQuery } from './conversation-query.ts'
import { sharedStart } from './model-calls.ts'

interface Properties {
  /** The model calls of a trace, by their start. */
  calls: readonly TraceCall[]
  /** Reads the messages of some calls. */
  queryMessages: (ids: readonly string[]) => MessagesQuery
  onSelect: (id: string) => void
}

/** What each model call of a trace saw and gave, one after the other. What it repeats from the one before is folded. */
export function ConversationView({ calls, queryMessages, onSelect }: Properties) {
  const [parts, setParts] = useState(1)
  const shown = calls.slice(0, parts * callsAtOnce)
  const pages = useQueries({
    queries: Array.from({ length: Math.ceil(shown.length / callsAtOnce) }, (_, at) =>
      queryMessages(shown.slice(at * callsAtOnce, (at + 1) * callsAtOnce).map(({ id }) => id)),
    ),
  })
  const messages = new Map(pages.flatMap(({ data }) => [...(data ?? [])]))
  if (calls.length === 0)
    return <p className="muted">No call of this trace says that it used a model. Messages of a single call stand beside the tree.</p>
  return (
    <div className="conversation">
      <p className="muted">{calls.length === 1 ? '1 model call.' : `${calls.length.toLocaleString('en')} model calls, by their start.`}</p>
      {shown.map((call, at) => (
        <ModelCall
          key={call.id}
          call={call}
          messages={messages.get(call.id)}
          before={messages.get(shown[at - 1]?.id ?? '') ?? []}
          onSelect={onSelect}
        />
      ))}
      {pages.some(({ isLoading }) => isLoading) && <Pending what="messages" />}
      <Failure error={pages.find(({ error }) => error !== null)?.error ?? null} before="Messages could not be read." />
      {shown.length < calls.length && (
        <button type="button" onClick={() => setParts(parts + 1)}>
          {`Show more of the other ${(calls.length - shown.length).toLocaleString('en')} model calls`}
        </button>
      )}
    </div>
  )
}

interface ModelCallProperties {
  call: TraceCall
  /** Undefined until they are read. */
  messages: readonly Message[] | undefined
  before: readonly Message[]
  onSelect: (id: string) => void
}

function ModelCall({ call, messages, before, onSelect }: ModelCallProperties) {
  if (!messages) return null
  const repeated = sharedStart(messages, before)
  return (
    <section aria-label={`Messages of ${readableName(call.name)}`}>
      <h2>
        <button type="button" className="as-link" onClick={() => onSelect(call.id)}>
          {readableName(call.name)}
        </button>{' '}
        <span className={`muted status-${call.status}`}>
          {call.status}
          {call.endedAt !== null && `, ${formatDuration(call.endedAt - call.startedAt)}`}
        </span>
      </h2>
      {messages.length === 0 && <p className="muted">It holds no messages in a form that is known here: see its input and output.</p>}
      {repeated > 0 && (
        <details>
          <summary>{`${repeated} ${repeated === 1 ? 'message' : 'messages'} as in the call before`}</summary>
          <ShowMessages messages={messages.slice(0, repeated)} label={`${call.name}, repeated: `} />
        </details>
      )}
      <ShowMessages messages={messages.slice(repeated)} label={`${call.name}: `} />
    </section>
  )
}
