import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProject } from '../../app/use-project.ts'
import { formatDuration } from '../../components/duration.ts'
import { LongText } from '../../components/long-text.tsx'
import { FormattedText } from '../../components/markdown/formatted-text.tsx'
import type { Answer } from './runs/answer.ts'
import { type Parameters, parameterNames } from './draft/draft.ts'
import type { Run } from './runs/use-runs.ts'

interface Properties {
  at: number
  parameters: Parameters
  onParameters: (parameters: Parameters) => void
  run: Run | undefined
  /** How its model is chosen. */
  children: ReactNode
  /** Undefined for the only variant, and while variants run. */
  onRemove: (() => void) | undefined
  onContinue: (answer: Answer) => void
}

const titles: Record<keyof Parameters, string> = {
  temperature: 'Temperature',
  top_p: 'Top p',
  max_tokens: 'Max tokens',
  seed: 'Seed',
}

/** One variant: its model and parameters, and below them what it says. */
export function VariantPane({ at, parameters, onParameters, run, children, onRemove, onContinue }: Properties) {
  const name = `Variant ${at + 1}`
  return (
    <section aria-label={name} className="playground-variant">
      <div className="row">
        <h3>{name}</h3>
        <span className="grow" />
        {onRemove && (
          <button type="button" aria-label={`Remove variant ${at + 1}`} onClick={onRemove}>
            Remove
          </button>
        )}
      </div>
      {children}
      <div className="playground-parameters">
        {parameterNames.map((parameter) => (
          <label key={parameter}>
            {titles[parameter]}
            <input
              inputMode="decimal"
              placeholder="default"
              value={parameters[parameter]}
              onChange={({ target }) => onParameters({ ...parameters, [parameter]: target.value })}
            />
          </label>
        ))}
      </div>
      {run && <RunOutput name={name} run={run} onContinue={onContinue} />}
    </section>
  )
}

function RunOutput({ name, run, onContinue }: { name: string; run: Run; onContinue: (answer: Answer) => void }) {
  const { entity, project } = useProject()
  const { answer, isRunning, problem, callId, notRecorded } = run
  const { text, reasoning, toolCalls } = answer
  return (
    <div className="playground-answer">
      {reasoning !== '' && (
        <details>
          <summary>Reasoning</summary>
          <LongText label={`${name}, reasoning`} text={reasoning} />
        </details>
      )}
      {(text !== '' || isRunning) && <FormattedText label={`${name}, answer`} text={text} isProse={!isRunning} />}
      {toolCalls.map((call, at) => (
        // Tool calls keep their places in an answer.
        <LongText key={at} label={`${name}, tool call ${at + 1}`} text={`${call.name}(${call.arguments})`} />
      ))}
      {problem !== undefined && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      <p className="muted" role="status">
        {statusText(run)}
      </p>
      {!isRunning && (
        <div className="row">
          {callId !== undefined && (
            <Link to="/$entity/$project/calls/$call" params={{ entity, project, call: callId }}>
              Trace of this run
            </Link>
          )}
          {(text !== '' || toolCalls.length > 0) && (
            <button type="button" onClick={() => onContinue(answer)}>
              Continue with this answer
            </button>
          )}
        </div>
      )}
      {notRecorded !== undefined && <p className="problem">This run is not recorded as a trace. {notRecorded}</p>}
    </div>
  )
}

function statusText({ isRunning, latencyMs, problem, answer: { text, toolCalls, finishReason, usage } }: Run): string {
  if (isRunning) return 'Answering …'
  const parts = [
    latencyMs === undefined ? undefined : formatDuration(latencyMs),
    usage ? `${usage.prompt_tokens} + ${usage.completion_tokens} tokens` : undefined,
    finishReason === 'length' ? 'cut at its max tokens' : undefined,
    problem === undefined && text === '' && toolCalls.length === 0 ? 'an empty answer' : undefined,
  ]
  return parts.filter((part) => part !== undefined).join(' · ')
}
