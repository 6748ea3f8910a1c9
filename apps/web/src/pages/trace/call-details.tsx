import type { Call } from '@heddle/core-api'
import { displayNameOf } from '@heddle/core-api'
import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../app/use-project.ts'
import { formatDuration } from '../../components/duration.ts'
import { LongText } from '../../components/long-text.tsx'
import { readableName } from '../../components/readable-name.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { toText } from '../../components/to-text.ts'
import { ShowValue } from '../../components/value/show-value.tsx'
import { isNothing, latencyOf, statusOf } from '../calls/call-row.ts'
import { callQuery } from '../calls/calls-queries.ts'
import { type DetailsTab, detailsTabs } from '../calls/calls-search.ts'
import { FeedbackAbout } from '../feedback/about-one/feedback-about.tsx'
import { CallActions } from './actions/call-actions.tsx'
import { CallLinks } from './links/call-links.tsx'
import { readMessages } from './read-messages.ts'
import { ShowMessages } from './show-messages.tsx'
import { readTools } from './tools/read-tools.ts'
import { ShowTools } from './tools/show-tools.tsx'
import { CallCost } from './usage/call-cost.tsx'
import { type ModelUsage, usageOfCall } from '../calls/model-usage.ts'

const titles: Record<DetailsTab, string> = {
  messages: 'Messages',
  values: 'Input and output',
  attributes: 'Attributes',
  feedback: 'Feedback',
  cost: 'Cost',
  links: 'Links',
  raw: 'Raw',
}

interface Properties {
  id: string
  tab: DetailsTab | undefined
  onTab: (tab: DetailsTab) => void
  /** Calls below it, where they are known. */
  below?: CallsBelow | undefined
}

export interface CallsBelow {
  calls: readonly { id: string; name: string }[]
  /** What the call and they used, once that is known. */
  usage: readonly ModelUsage[] | undefined
  onSelect: (id: string) => void
}

/** All of one call, a part at a time. */
export function CallDetails({ id, tab, onTab, below }: Properties) {
  const { id: project } = useProject()
  const query = useQuery(callQuery(project, id))
  return (
    <ShowQuery query={query} what="the call">
      {(call) =>
        call ? (
          <Details call={call} tab={tab} onTab={onTab} below={below} />
        ) : (
          <p className="problem">Call {id} was not found. It may have been deleted.</p>
        )
      }
    </ShowQuery>
  )
}

function Details({ call, tab, onTab, below }: Omit<Properties, 'id'> & { call: Call }) {
  const { id: project } = useProject()
  const messages = readMessages(call.inputs, call.output)
  const shown = tab ?? (messages.length > 0 ? 'messages' : 'values')
  const latency = latencyOf(call)
  return (
    <>
      <h2>{readableName(displayNameOf(call))}</h2>
      <p className="muted">
        <span className={`status-${statusOf(call)}`}>{statusOf(call)}</span> · <Time value={call.started_at} /> ·{' '}
        {latency === null ? 'still running' : formatDuration(latency)}
      </p>
      <CallActions key={call.id} call={call} />
      {call.exception !== null && (
        <div className="problem">
          <LongText label="Error" text={call.exception} />
        </div>
      )}
      <div className="row" role="group" aria-label="Parts of the call">
        {detailsTabs.map((name) => (
          <button key={name} type="button" aria-pressed={name === shown} onClick={() => onTab(name)}>
            {titles[name]}
          </button>
        ))}
      </div>
      {shown === 'messages' && <Messages call={call} messages={messages} />}
      {shown === 'values' && (isNothing(call.inputs) && isNothing(call.output) ? <NoValues below={below} /> : <Values call={call} />)}
      {shown === 'attributes' && <LongText label="Attributes" text={toText(call.attributes)} />}
      {shown === 'feedback' && <FeedbackAbout about={`weave:///${project}/call/${call.id}`} what="call" />}
      {shown === 'cost' && <CallCost own={usageOfCall(call)} below={below?.usage} />}
      {shown === 'links' && <CallLinks call={call} />}
      {shown === 'raw' && <LongText label="Raw" text={toText(call)} />}
    </>
  )
}

function Values({ call }: { call: Call }) {
  return (
    <>
      <h3>Input</h3>
      <ShowValue label="Input" path="inputs" value={call.inputs} />
      <h3>Output</h3>
      <ShowValue label="Output" path="output" value={call.output} />
    </>
  )
}

const mostBelow = 20

/** Roots of traces often hold nothing themselves: what happened is below them. */
function NoValues({ below }: { below: CallsBelow | undefined }) {
  const { calls = [], onSelect } = below ?? {}
  return (
    <>
      <p className="muted">No input and no output was recorded for this call itself. Its attributes are all that it says.</p>
      {calls.length > 0 && (
        <>
          <h3>Calls below it</h3>
          <ul>
            {calls.slice(0, mostBelow).map(({ id, name }) => (
              <li key={id}>
                <button type="button" className="as-link" onClick={() => onSelect?.(id)}>
                  {readableName(name)}
                </button>
              </li>
            ))}
          </ul>
          {calls.length > mostBelow && (
            <p className="muted">{`And ${(calls.length - mostBelow).toLocaleString('en')} more, in the tree.`}</p>
          )}
        </>
      )}
    </>
  )
}

function Messages({ call, messages }: { call: Call; messages: ReturnType<typeof readMessages> }) {
  if (messages.length === 0) return <p className="muted">This call holds no messages of a conversation.</p>
  return (
    <>
      <ShowTools tools={readTools({ ...call })} />
      <ShowMessages messages={messages} />
    </>
  )
}
