import { useQuery } from '@tanstack/react-query'
import { Brain, Database, MessageSquarePlus } from 'lucide-react'
import { useProject } from '../../lib/use-project.ts'
import { formatDuration } from '../../lib/time/duration.ts'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { LongText } from '../../ui/texts/long-text.tsx'
import { FormattedText } from '../../features/markdown/formatted-text.tsx'
import { callQuery } from '../../features/calls/call-query.ts'
import { toCallRow } from '../../features/calls/call-row.ts'
import { type Status, StatusIcon } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { ToolCall } from '../../ui/chat.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RequestId } from '../../ui/states/request-id.tsx'
import type { DraftMessage } from '../../features/playground/draft/draft-message.ts'
import { continueWith } from './runs/continue-with.ts'
import type { Run } from './runs/complete-variant.ts'
import { parseExactJson } from '@heddle/json/exact'

interface Properties {
  /** Name of the variant. */
  name: string
  run: Run
  /** The messages that it answers. */
  messages: readonly DraftMessage[]
  onContinue: (messages: readonly DraftMessage[]) => void
  onSaveRow: () => void
}

/** The answer of a variant so far, with its latency and usage. */
export function RunOutput({ name, run, messages, onContinue, onSaveRow }: Properties) {
  const { entity, project } = useProject()
  const { answer, isRunning, problem, callId, notRecorded } = run
  const { text, reasoning, toolCalls } = answer
  const isEmpty = text === '' && toolCalls.length === 0
  const { status, title } = stateOf(run)
  return (
    <div className="flex flex-col gap-2 border-t border-line p-3">
      <div className="flex min-h-6 items-center gap-2">
        <StatusIcon status={status} />
        <span role="status" className="font-medium">
          {title}
        </span>
        <span className="grow" />
        <Took run={run} />
      </div>
      {reasoning !== '' && (
        <Fold icon={Brain} title="Thinking">
          <LongText label={`${name}, reasoning`} text={reasoning} />
        </Fold>
      )}
      {text !== '' && <FormattedText label={`${name}, answer`} text={text} isProse={!isRunning} />}
      {toolCalls.map((call, at) => (
        <ToolCall
          // Tool calls keep their order in an answer, so the index is a stable key.
          key={String(at)}
          name={call.name}
          args={isRunning ? call.arguments : argumentsOf(call.arguments)}
          hasResult={false}
        />
      ))}
      {problem !== undefined && (
        <Notice tone="error" title={problem}>
          <RequestId error={run.failure} />
        </Notice>
      )}
      {notRecorded !== undefined && (
        <Notice tone="warning" title="Not recorded as a trace">
          {notRecorded}
          <RequestId error={run.recordFailure} />
        </Notice>
      )}
      {!isRunning && (
        <div className="flex flex-wrap items-center gap-1">
          {!isEmpty && (
            <>
              <Button variant="ghost" icon={Database} onClick={onSaveRow}>
                Save as row…
              </Button>
              <Button variant="ghost" icon={MessageSquarePlus} onClick={() => onContinue(continueWith(messages, answer))}>
                Continue
              </Button>
            </>
          )}
          {callId !== undefined && (
            <ButtonLink variant="ghost" to="/$entity/$project/calls/$call" params={{ entity, project, call: callId }}>
              Open trace
            </ButtonLink>
          )}
        </div>
      )}
    </div>
  )
}

function stateOf({ isRunning, problem, answer: { text, toolCalls } }: Run): { status: Status; title: string } {
  if (isRunning) return { status: 'running', title: 'Writing…' }
  if (problem !== undefined) return { status: 'error', title: 'Failed' }
  return { status: 'ok', title: text === '' && toolCalls.length === 0 ? 'Empty answer' : 'Answer' }
}

/** Time, tokens and cost, from the trace of the run. */
function Took({ run: { latencyMs, callId, answer } }: { run: Run }) {
  const { id } = useProject()
  const { data: call } = useQuery({ ...callQuery(id, callId ?? ''), enabled: callId !== undefined })
  const cost = call ? toCallRow(call, []).cost : null
  const { usage, finishReason } = answer
  const parts = [
    latencyMs === undefined ? undefined : formatDuration(latencyMs),
    usage ? `${(usage.prompt_tokens + usage.completion_tokens).toLocaleString('en')} tok` : undefined,
    cost === null ? undefined : formatCost(cost),
    finishReason === 'length' ? 'cut at max tokens' : undefined,
  ]
  return (
    <span
      className="num text-xs text-fg-3"
      data-tip={usage ? `${usage.prompt_tokens.toLocaleString('en')} in, ${usage.completion_tokens.toLocaleString('en')} out` : undefined}
    >
      {parts.filter((part) => part !== undefined).join(' · ')}
    </span>
  )
}

/** The arguments of a tool call; the text as it was sampled where it is not JSON. */
function argumentsOf(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return text
  }
}
