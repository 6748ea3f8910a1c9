import type { Call } from '@heddle/core-api'
import { displayNameOf } from '@heddle/core-api'
import { type Message, readConversation } from '@heddle/trace-model'
import type { ReactNode } from 'react'
import { formatDuration } from '../../components/duration.ts'
import { LongText } from '../../components/long-text.tsx'
import { readableName } from '../../components/readable-name.ts'
import { Time } from '../../components/time.tsx'
import { toText } from '../../components/to-text.ts'
import { ShowValue } from '../../components/value/show-value.tsx'
import { isNothing, latencyOf, statusOf } from '../calls/call-row.ts'
import { type DetailsTab, detailsTabs } from '../calls/calls-search.ts'
import type { ModelUsage } from '../calls/model-usage.ts'
import { ShowMessages } from './show-messages.tsx'
import { readTools } from './tools/read-tools.ts'
import { ShowTools } from './tools/show-tools.tsx'

const titles: Record<DetailsTab, string> = {
  messages: 'Messages',
  values: 'Input and output',
  attributes: 'Attributes',
  feedback: 'Feedback',
  cost: 'Cost',
  links: 'Links',
  raw: 'Raw',
}

export interface CallsBelow {
  calls: readonly { id: string; name: string }[]
  /** What the call and they used, once that is known. */
  usage: readonly ModelUsage[] | undefined
  onSelect: (id: string) => void
}

interface Properties {
  call: Call
  tab: DetailsTab | undefined
  onTab: (tab: DetailsTab) => void
  /** Calls below it, where they are known. */
  below?: CallsBelow | undefined
  /** What can be done with it. */
  actions: ReactNode
  /** The parts that the project has beside the call. */
  ofProject?: Partial<Record<DetailsTab, () => ReactNode>>
}

/** A call, a part at a time. All but `actions` and `ofProject` stands in the call itself. */
export function CallParts({ call, tab, onTab, below, actions, ofProject = {} }: Properties) {
  const { input, output } = readConversation(call)
  const messages = [...input, ...output]
  const parts: Partial<Record<DetailsTab, () => ReactNode>> = {
    messages: () => <Messages call={call} messages={messages} />,
    values: () => (isNothing(call.inputs) && isNothing(call.output) ? <NoValues below={below} /> : <Values call={call} />),
    attributes: () => <LongText label="Attributes" text={toText(call.attributes)} />,
    raw: () => <LongText label="Raw" text={toText(call)} />,
    ...ofProject,
  }
  const shown = tab !== undefined && parts[tab] ? tab : messages.length > 0 ? 'messages' : 'values'
  const latency = latencyOf(call)
  return (
    <>
      <h2>{readableName(displayNameOf(call))}</h2>
      <p className="muted">
        <span className={`status-${statusOf(call)}`}>{statusOf(call)}</span> · <Time value={call.started_at} /> ·{' '}
        {latency === null ? 'still running' : formatDuration(latency)}
      </p>
      {actions}
      {call.exception !== null && (
        <div className="problem">
          <LongText label="Error" text={call.exception} />
        </div>
      )}
      <div className="row" role="group" aria-label="Parts of the call">
        {detailsTabs
          .filter((name) => parts[name])
          .map((name) => (
            <button key={name} type="button" aria-pressed={name === shown} onClick={() => onTab(name)}>
              {titles[name]}
            </button>
          ))}
      </div>
      {parts[shown]?.()}
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

function Messages({ call, messages }: { call: Call; messages: readonly Message[] }) {
  if (messages.length === 0) return <p className="muted">This call holds no messages of a conversation.</p>
  return (
    <>
      <ShowTools tools={readTools({ ...call })} />
      <ShowMessages messages={messages} />
    </>
  )
}
