import './trajectories.css'
import { Link } from '@tanstack/react-router'
import { ScrollText, Tags, Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { LongText } from '../../ui/texts/long-text.tsx'
import { Time } from '../../ui/time/time.tsx'
import { toText } from '../../lib/texts/to-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { Fold } from '../../ui/fold.tsx'
import { metricText } from '../curves/metric-name.ts'
import { readHistories, type TrajectoryMessage } from './read-trajectory.ts'
import { SampledText } from './sampled-text.tsx'
import type { ShownTrajectory } from './trajectory-queries.ts'

interface Properties {
  trajectory: ShownTrajectory
  /** From 1. */
  number: number
  /** At the right of its title. */
  actions?: ReactNode
}

/** A trajectory: its conversations, the parts of its reward, and its notes. */
export function TrajectoryView({ trajectory, number, actions }: Properties) {
  const { reward, advantage, metrics, metadata, logs, tools, start_time: start } = trajectory
  const histories = readHistories(trajectory)
  return (
    <section aria-label={`Trajectory ${number}`} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-semibold">Trajectory {number}</h3>
        <span className="text-xs text-fg-3">
          {policyText(trajectory)}
          {start !== null && (
            <>
              {', '}
              <Time value={start} />
            </>
          )}
        </span>
        <TraceLink metadata={metadata} />
        <span className="grow" />
        {actions}
      </div>
      {histories.length === 0 && <p className="text-fg-3">No messages</p>}
      {histories.map((messages, history) => (
        // Histories keep their order, so the index is a stable key.
        <div key={history} className="flex flex-col gap-3">
          {history > 0 && <h4 className="text-xs font-medium text-fg-2">Additional history {history}</h4>}
          {messages.map((message, at) => (
            <MessageView key={at} message={message} label={`Trajectory ${number}, history ${history + 1}, message ${at + 1}`} />
          ))}
        </div>
      ))}
      <Part title="Reward">
        <dl className="num grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 rounded-md border border-line p-2 text-xs">
          <Entry name="Reward" value={metricText('reward', reward)} />
          {advantage !== undefined && <Entry name="Advantage" value={signed(advantage)} />}
          {Object.entries(metrics).map(([name, value]) => (
            <Entry key={name} name={name} value={typeof value === 'number' ? metricText('value', value) : toText(value)} />
          ))}
        </dl>
      </Part>
      <Metadata metadata={metadata} />
      {tools !== null && tools.length > 0 && (
        <Fold icon={Wrench} title={`Tools, ${tools.length.toLocaleString('en')}`}>
          <LongText label={`Tools of trajectory ${number}`} text={toText(tools)} />
        </Fold>
      )}
      {logs.length > 0 && (
        <Fold icon={ScrollText} title={`Log, ${logs.length.toLocaleString('en')} lines`}>
          <LongText label={`Log of trajectory ${number}`} text={logs.join('\n')} />
        </Fold>
      )}
    </section>
  )
}

function Metadata({ metadata }: Pick<ShownTrajectory, 'metadata'>) {
  const entries = Object.entries(metadata)
  if (entries.length === 0) return null
  return (
    <Fold icon={Tags} title={`Metadata, ${entries.length.toLocaleString('en')}`}>
      <dl className="grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)] gap-x-3 gap-y-1 text-xs">
        {entries.map(([name, value]) => (
          <Entry key={name} name={name} value={toText(value)} />
        ))}
      </dl>
    </Fold>
  )
}

const Entry = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt className="min-w-0 [overflow-wrap:anywhere] text-fg-2">{name}</dt>
    <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
  </>
)

const signed = (value: number) => `${value > 0 ? '+' : ''}${metricText('reward', value)}`

/** A part of a conversation, with its kind at the left. */
const Part = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <div className="grid grid-cols-[72px_minmax(0,1fr)] gap-x-3">
    <div className="pt-0.5 text-xs [overflow-wrap:anywhere] text-fg-3">{title}</div>
    <div className="flex min-w-0 flex-col gap-2">{children}</div>
  </div>
)

function policyText({ initial_policy_version: first, final_policy_version: last }: ShownTrajectory): string {
  if (first === null && last === null) return 'policy version not recorded'
  return first === last || last === null ? `policy version ${first ?? last}` : `policy version ${first ?? '?'} to ${last}`
}

/** The trace of the rollout, where the metadata names one. */
export function TraceLink({ metadata }: { metadata: Readonly<Record<string, unknown>> }) {
  const { entity, project } = useProject()
  const { trace_id: trace, root_span_id: root } = metadata
  const look = 'text-xs text-accent-text hover:underline'
  if (typeof root === 'string' && root !== '')
    return (
      <Link to="/$entity/$project/calls/$call" params={{ entity, project, call: root }} className={look}>
        Trace of this rollout
      </Link>
    )
  if (typeof trace !== 'string' || trace === '') return null
  return (
    <Link
      to="/$entity/$project/calls"
      params={{ entity, project }}
      search={{ where: [{ path: 'trace_id', operator: '=', value: trace }], range: '30d' }}
      className={look}
    >
      Trace of this rollout
    </Link>
  )
}

const roleTitles: Readonly<Record<string, string>> = { system: 'System', user: 'User', assistant: 'Assistant', tool: 'Tool' }

function MessageView({ message, label }: { message: TrajectoryMessage; label: string }) {
  const { role, text, calls, resultOf, isSampled, isCut, tokens } = message
  return (
    <Part
      title={
        <span className="flex flex-col items-start gap-1">
          {resultOf === undefined ? (roleTitles[role] ?? role) : `result of ${resultOf}`}
          {isSampled && <Badge tone="accent">Sampled</Badge>}
          {isCut && <Badge tone="amber">Cut off</Badge>}
        </span>
      }
    >
      {tokens.length > 0 ? <SampledText tokens={tokens} label={label} /> : text !== '' && <LongText label={label} text={text} />}
      {calls.map(({ name, text: given }, at) => (
        // Calls keep their order, so the index is a stable key.
        <Fold key={at} icon={Wrench} title={<span className="mono">{name}</span>}>
          <LongText label={`${label}, call ${at + 1}`} text={given} />
        </Fold>
      ))}
    </Part>
  )
}
