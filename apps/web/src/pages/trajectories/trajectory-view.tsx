import { Link } from '@tanstack/react-router'
import { useProject } from '../../app/use-project.ts'
import { LongText } from '../../components/long-text.tsx'
import { Time } from '../../components/time.tsx'
import { toText } from '../../components/to-text.ts'
import { numberText } from '../evaluations/charts/number-text.ts'
import { readHistories, type TrajectoryMessage } from './read-trajectory.ts'
import { SampledText } from './sampled-text.tsx'
import type { ShownTrajectory } from './trajectory-queries.ts'

interface Properties {
  trajectory: ShownTrajectory
  /** From 1. */
  number: number
}

/** A trajectory: its reward, its conversations, and what was noted about it. */
export function TrajectoryView({ trajectory, number }: Properties) {
  const { reward, advantage, metrics, metadata, logs, tools, start_time: start } = trajectory
  const histories = readHistories(trajectory)
  return (
    <section aria-label={`Trajectory ${number}`} className="trajectory">
      <h3>Trajectory {number}</h3>
      <p>
        <strong>Reward {numberText(reward, false)}</strong>
        {advantage !== undefined && <span> · advantage {numberText(advantage, false)}</span>}
      </p>
      <p className="muted">
        {policyText(trajectory)}
        {start !== null && (
          <>
            {' · began '}
            <Time value={start} />
          </>
        )}
      </p>
      <TraceLink metadata={metadata} />
      {histories.length === 0 && <p className="muted">It has no messages.</p>}
      {histories.map((messages, history) => (
        // Histories keep their places.
        <div key={history}>
          {history > 0 && <h4>Additional history {history}</h4>}
          {messages.map((message, at) => (
            <MessageView key={at} message={message} label={`Trajectory ${number}, history ${history + 1}, message ${at + 1}`} />
          ))}
        </div>
      ))}
      <Values title="Metrics" values={metrics} />
      <Values title="Metadata" values={metadata} />
      {logs.length > 0 && (
        <details>
          <summary>Log, {logs.length.toLocaleString('en')} lines</summary>
          <LongText label={`Log of trajectory ${number}`} text={logs.join('\n')} />
        </details>
      )}
      {tools !== null && tools.length > 0 && (
        <details>
          <summary>Tools, {tools.length.toLocaleString('en')}</summary>
          <LongText label={`Tools of trajectory ${number}`} text={toText(tools)} />
        </details>
      )}
    </section>
  )
}

function policyText({ initial_policy_version: first, final_policy_version: last }: ShownTrajectory): string {
  if (first === null && last === null) return 'policy version not recorded'
  return first === last || last === null ? `policy version ${first ?? last}` : `policy version ${first ?? '?'} to ${last}`
}

/** The trace of the rollout, where the metadata names one. */
export function TraceLink({ metadata }: { metadata: Readonly<Record<string, unknown>> }) {
  const project = useProject()
  const { trace_id: trace, root_span_id: root } = metadata
  if (typeof root === 'string' && root !== '')
    return (
      <p>
        <Link to="/$entity/$project/calls/$call" params={{ ...project, call: root }}>
          Trace of this rollout
        </Link>
      </p>
    )
  if (typeof trace !== 'string' || trace === '') return null
  return (
    <p>
      <Link
        to="/$entity/$project/calls"
        params={project}
        search={{ where: [{ path: 'trace_id', operator: '=', value: trace }], range: '30d' }}
      >
        Trace of this rollout
      </Link>
    </p>
  )
}

function MessageView({ message, label }: { message: TrajectoryMessage; label: string }) {
  const { role, text, calls, resultOf, isSampled, isCut, tokens } = message
  return (
    <div className={isSampled ? 'trajectory-message sampled' : 'trajectory-message'}>
      <p>
        <strong>{resultOf === undefined ? role : `result of ${resultOf}`}</strong> {isSampled && <span className="tag">sampled</span>}
        {isCut && <span className="tag">cut at the token limit</span>}
      </p>
      {tokens.length > 0 ? <SampledText tokens={tokens} label={label} /> : text !== '' && <LongText label={label} text={text} />}
      {calls.map(({ name, text: given }, at) => (
        // Calls keep their places.
        <div key={at}>
          <p>
            calls <strong>{name}</strong>
          </p>
          <LongText label={`${label}, call ${at + 1}`} text={given} />
        </div>
      ))}
    </div>
  )
}

function Values({ title, values }: { title: string; values: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(values)
  if (entries.length === 0) return null
  return (
    <details open={title === 'Metrics'}>
      <summary>
        {title}, {entries.length}
      </summary>
      <dl className="values">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'number' ? numberText(value, false) : toText(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
