import { parseExactJson } from '@heddle/json/exact'
import { formatDuration } from '../../lib/time/duration.ts'
import { Chat, ChatMessage, ToolCall } from '../../ui/chat.tsx'
import { LongText } from '../../ui/texts/long-text.tsx'
import type { PartialAnswer } from './ask-model.ts'

/** A turn of a conversation. An answer of a model includes its latency, once it has ended. */
export type Turn = { role: 'user'; content: string } | ({ role: 'assistant'; ms?: number } & PartialAnswer)

/** The messages of a user and the answers of a model. */
export const ChatTurns = ({ turns }: { turns: readonly Turn[] }) => (
  <Chat>
    {turns.map((turn, at) => (
      // Turns are only added.
      <ChatMessage
        key={at}
        role={turn.role}
        label={`Message ${at + 1}`}
        meta={
          turn.role === 'assistant' && turn.ms !== undefined && <span className="num text-xs text-fg-3">{formatDuration(turn.ms)}</span>
        }
      >
        {turn.role === 'user' ? <LongText label={`Message ${at + 1}, text`} text={turn.content} /> : <Answer said={turn} number={at + 1} />}
      </ChatMessage>
    ))}
  </Chat>
)

const Answer = ({ said: { text, toolCalls }, number }: { said: PartialAnswer; number: number }) => (
  <>
    {text !== '' && <LongText label={`Message ${number}, text`} text={text} />}
    {toolCalls.map(({ name, arguments: given }, at) => (
      // Calls keep their order, so the index is a stable key.
      <ToolCall key={at} name={name} args={toArguments(given)} hasResult={false} />
    ))}
  </>
)

/** The arguments of a call as a value. Anything but JSON, such as partial JSON during sampling, remains text. */
function toArguments(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return text
  }
}
