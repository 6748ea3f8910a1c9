import { useQuery } from '@tanstack/react-query'
import { formatDuration } from '../../lib/time/duration.ts'
import { Pending } from '../../ui/states/pending.tsx'
import { readableName } from '../../lib/texts/readable-name.ts'
import { CallName } from '../calls/call-name.tsx'
import { KindIcon } from '../../ui/badge.tsx'
import { ShapedButton } from '../../ui/shaped-button.tsx'
import type { CallsBelow } from './call-pane.tsx'
import { ShowMessages } from './show-messages.tsx'
import type { useTrace } from './use-trace.ts'
import { idsOfReports, type MessagesQuery } from './views/conversation-query.ts'
import { type ModelRequest, reportWithMessages } from './views/model-calls.ts'

/** Where messages come from, and what selects a call. */
interface CallsBelowOptions {
  queryMessages: (ids: readonly string[]) => MessagesQuery
  onSelect: (id: string) => void
}

interface Properties extends CallsBelowOptions {
  request: ModelRequest
}

/** What is below a call of a trace, for its pane. */
export const callsBelow = ({ below, requestBelow }: ReturnType<typeof useTrace>, options: CallsBelowOptions): CallsBelow => ({
  ...below,
  onSelect: options.onSelect,
  ...(requestBelow && { conversation: <ConversationBelow request={requestBelow} {...options} /> }),
})

/**
 * Messages of the last model call below a span: they show the outcome of a span without its own values. Renders nothing if the call has no messages.
 */
function ConversationBelow({ request, queryMessages, onSelect }: Properties) {
  const { data, isLoading } = useQuery(queryMessages(idsOfReports(request)))
  const report = data && reportWithMessages(request, data)
  if (isLoading) return <Pending what="messages" />
  if (report === undefined || report.messages.length === 0) return null
  const { call, messages } = report
  const name = readableName(call.name)
  return (
    <section aria-label={`Messages of ${name}`} className="flex flex-col gap-4">
      <h3 className="flex">
        <ShapedButton
          onClick={() => onSelect(call.id)}
          className="flex h-8 w-full items-center gap-2 rounded-md border border-line bg-sunken px-2 text-left text-xs pressable"
        >
          <KindIcon kind="llm" size={16} />
          <span className="truncate font-medium">
            <CallName name={call.name} kind="llm" />
          </span>
          <span className="truncate text-fg-3">last model call</span>
          <span className="grow" />
          <span className="num shrink-0 whitespace-nowrap text-fg-2">
            {call.endedAt === null ? 'Running' : formatDuration(call.endedAt - call.startedAt)}
          </span>
        </ShapedButton>
      </h3>
      <ShowMessages messages={messages} label={`${call.name}: `} />
    </section>
  )
}
