import { Link } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import { useProject } from '../../lib/use-project.ts'
import { CostMark } from '../../features/costs/cost-source.tsx'
import { formatDuration } from '../../lib/time/duration.ts'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { LongText } from '../../ui/texts/long-text.tsx'
import { readableName } from '../../lib/texts/readable-name.ts'
import { Time } from '../../ui/time/time.tsx'
import { signOfStatus } from '../../features/calls/status-sign.ts'
import { ShowMessagePart } from '../../features/trace/show-message-part.tsx'
import { StatusText } from '../../ui/badge.tsx'
import { Chat, ChatMessage, ToolCall } from '../../ui/chat.tsx'
import type { Turn } from './to-turn.ts'

/** Messages of a turn, with its usage and feedback. */
export function ShowTurn({ turn, number }: { turn: Turn; number: number }) {
  return (
    // Only the visible part of a long conversation is laid out.
    <section aria-label={`Turn ${number}`} className="pb-5 [contain-intrinsic-size:auto_160px] [content-visibility:auto]">
      <div className="mb-3 flex items-center gap-3 text-xs text-fg-3">
        <h3 className="font-medium text-fg-2">Turn {number}</h3>
        <span className="num">
          <Time value={turn.startedAt} />
        </span>
        <span aria-hidden className="h-px grow bg-line" />
      </div>
      <Chat>
        {turn.messages.map(({ role, name, parts }, at) => {
          const label = `Turn ${number}, ${role}, ${at + 1}`
          return (
            // Messages keep their order in a turn, so the index is a stable key.
            <ChatMessage key={String(at)} role={role} name={name} label={label}>
              {parts.map((part, place) =>
                part.type === 'tool_call' ? (
                  <ToolCall key={String(place)} name={part.name} args={part.arguments} hasResult={false} />
                ) : (
                  <div key={String(place)} className={part.type === 'text' ? plain : undefined}>
                    <ShowMessagePart part={part} label={`${label}${place === 0 ? '' : `, part ${place + 1}`}`} />
                  </div>
                ),
              )}
            </ChatMessage>
          )
        })}
      </Chat>
      {turn.exception !== null && (
        <div className="mt-3 ml-7.5 rounded-lg border border-red-line bg-red-soft px-3 py-1 text-red-text">
          <LongText label={`Error of turn ${number}`} text={turn.exception} />
        </div>
      )}
      <TurnFacts turn={turn} number={number} />
    </section>
  )
}

/** A text written by a user is shown as prose: without a frame, in the font of the page. */
const plain =
  'text-base [&_pre]:m-0 [&_pre]:max-h-none [&_pre]:rounded-none [&_pre]:border-0 [&_pre]:bg-transparent [&_pre]:p-0 [&_pre]:font-sans [&_pre]:text-base'

function TurnFacts({ turn, number }: { turn: Turn; number: number }) {
  const { entity, project } = useProject()
  const params = { entity, project, call: turn.id }
  const sign = signOfStatus(turn.status)
  return (
    <div className="num mt-3 ml-7.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-fg-3">
      <Link
        to="/$entity/$project/calls/$call"
        params={params}
        aria-label={`Trace of turn ${number}`}
        className="inline-flex h-6 max-w-full items-center gap-1 rounded-sm border border-line px-1.5 text-fg-2 pressable hover:text-fg"
      >
        <span className="truncate" data-cut="" data-tip={readableName(turn.name)}>
          {turn.name}
        </span>
        <ArrowUpRight size={12} aria-hidden />
      </Link>
      {turn.status !== 'success' && <StatusText status={sign.status}>{sign.label}</StatusText>}
      {turn.isParentMissing && <span>Parent missing</span>}
      {turn.latencyMs !== null && <span>{formatDuration(turn.latencyMs)}</span>}
      {turn.tokens !== null && <span>{turn.tokens.toLocaleString('en')} tokens</span>}
      {turn.cost === null ? (
        turn.tokens !== null && <span>No price</span>
      ) : (
        <span>
          {formatCost(turn.cost)}
          <CostMark source={turn.costSource} />
        </span>
      )}
      <span className="grow" />
      {turn.feedback.map((text) => (
        <Link
          key={text}
          to="/$entity/$project/calls/$call"
          params={params}
          search={{ tab: 'feedback' }}
          className="inline-flex h-6 max-w-full items-center rounded-sm border border-line px-1.5 text-fg-2 pressable"
        >
          <span className="truncate">{text}</span>
        </Link>
      ))}
    </div>
  )
}
