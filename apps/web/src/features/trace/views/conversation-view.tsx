import type { TreeNode } from '@heddle/trace-model'
import { useQueries } from '@tanstack/react-query'
import { History, MessagesSquare } from 'lucide-react'
import { useMemo, useState } from 'react'
import { countText } from '../../../lib/texts/count-text.ts'
import { formatDuration } from '../../../lib/time/duration.ts'
import { Failure } from '../../../ui/states/failure.tsx'
import { formatCost } from '../../../lib/texts/format-cost.ts'
import { Pending } from '../../../ui/states/pending.tsx'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { cx } from '../../../lib/cx.ts'
import { KindIcon, StatusIcon } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/card.tsx'
import { Fold } from '../../../ui/fold.tsx'
import { ShapedButton } from '../../../ui/shaped-button.tsx'
import { CallName } from '../../calls/call-name.tsx'
import { signOfKind } from '../../calls/kind-of-call.ts'
import { signOfStatus } from '../../calls/status-sign.ts'
import { ShowMessages } from '../show-messages.tsx'
import type { TraceCall } from '../trace-queries.ts'
import type { TotalUsage } from '../usage/usage-of-trace.ts'
import { idsOfReports, requestsAtOnce, type MessagesQuery } from './conversation-query.ts'
import { type Turn, turnsOf } from './conversation-turns.ts'
import type { ModelRequest } from './model-calls.ts'
import { shownSpeakers, speakersOfTrace } from './speakers-of-trace.ts'

interface Properties {
  roots: readonly TreeNode<TraceCall>[]
  /** The requests of a trace to models, by their start. */
  requests: readonly ModelRequest[]
  /** Reads the messages of some calls. */
  queryMessages: (ids: readonly string[]) => MessagesQuery
  totals: ReadonlyMap<string, TotalUsage> | undefined
  selected: string
  onSelect: (id: string) => void
}

/**
 * Input and output of each model call of a trace, one after the other, and of agents whose model calls hold no messages. Messages repeated from an
 * earlier call are folded.
 */
export function ConversationView({ roots, requests, queryMessages, totals, selected, onSelect }: Properties) {
  const [parts, setParts] = useState(1)
  const speakers = useMemo(() => speakersOfTrace(roots, requests), [roots, requests])
  const shown = speakers.slice(0, parts * requestsAtOnce)
  const pages = useQueries({
    queries: Array.from({ length: Math.ceil(shown.length / requestsAtOnce) }, (_, at) =>
      queryMessages(shown.slice(at * requestsAtOnce, (at + 1) * requestsAtOnce).flatMap(({ reports }) => idsOfReports(reports))),
    ),
  })
  const messages = new Map(pages.flatMap(({ data }) => [...(data ?? [])]))
  const read = shownSpeakers(shown, messages)
  const turns = turnsOf(read.map((report) => report.messages))
  if (requests.length === 0 && read.length === 0 && shown.length === speakers.length && pages.every(({ isSuccess }) => isSuccess)) {
    return (
      <EmptyState icon={MessagesSquare} title="No messages in this trace">
        No span says that it used a model.
      </EmptyState>
    )
  }
  return (
    <div role="region" aria-label="Messages of the trace" tabIndex={0} className="min-h-0 grow overflow-auto -outline-offset-2">
      {read.map(({ call, isRequest }, at) => (
        <SpeakingCall
          key={call.id}
          call={call}
          isRequest={isRequest}
          turn={turns[at] ?? noMessages}
          total={totals?.get(call.id)}
          isSelected={call.id === selected}
          onSelect={onSelect}
        />
      ))}
      {pages.some(({ isLoading }) => isLoading) && (
        <div className="p-4">
          <Pending what="messages" />
        </div>
      )}
      <Failure error={pages.find(({ error }) => error !== null)?.error ?? null} before="Messages could not be read." />
      {shown.length < speakers.length && (
        <div className="p-4">
          <Button onClick={() => setParts(parts + 1)}>
            {`Show more of the other ${(speakers.length - shown.length).toLocaleString('en')} model calls and agents`}
          </Button>
        </div>
      )}
    </div>
  )
}

const noMessages: Turn = { repeated: [], own: [] }

interface SpeakingCallProperties {
  call: TraceCall
  /** Whether it belongs to a request to a model. */
  isRequest: boolean
  turn: Turn
  total: TotalUsage | undefined
  isSelected: boolean
  onSelect: (id: string) => void
}

function SpeakingCall({ call, isRequest, turn: { repeated, own }, total, isSelected, onSelect }: SpeakingCallProperties) {
  const name = readableName(call.name)
  const kind = isRequest ? 'llm' : signOfKind(call.kind)
  return (
    <section aria-label={`Messages of ${name}`} className="border-b border-line">
      <h2 className="sticky top-0 z-10">
        <ShapedButton
          aria-pressed={isSelected}
          onClick={() => onSelect(call.id)}
          className={cx(
            'flex h-8 w-full items-center gap-2 border-b border-line px-4 text-left text-xs -outline-offset-2',
            isSelected ? 'bg-selected shadow-[inset_2px_0_var(--accent)]' : 'bg-sunken pressable',
          )}
        >
          <KindIcon kind={kind} size={16} />
          <span className="truncate font-medium">
            <CallName name={call.name} kind={kind} />
          </span>
          {call.status === 'error' && <StatusIcon {...signOfStatus(call.status)} size={13} />}
          <span className="grow" />
          <span className="num flex shrink-0 gap-3 text-fg-2">
            <span>{call.endedAt === null ? 'Running' : formatDuration(call.endedAt - call.startedAt)}</span>
            {total && total.tokens !== null && <span>{`${total.tokens.toLocaleString('en')} tok`}</span>}
            {total && total.cost !== null && <span>{formatCost(total.cost)}</span>}
          </span>
        </ShapedButton>
      </h2>
      <div className="mx-auto flex max-w-190 flex-col gap-4 p-4">
        {repeated.length + own.length === 0 && <p className="text-fg-3">No recognized messages. See Input & output.</p>}
        {repeated.length > 0 && (
          <Fold
            icon={History}
            title={<span className="text-fg-2">{countText(repeated.length, 'earlier message')}</span>}
            meta={<span className="text-xs text-fg-3">as above</span>}
          >
            <ShowMessages messages={repeated} label={`${call.name}, repeated: `} />
          </Fold>
        )}
        <ShowMessages messages={own} label={`${call.name}: `} />
      </div>
    </section>
  )
}
