import type { Message } from '@heddle/trace-model'
import { ShowMessagePart } from './show-message-part.tsx'

/** Messages of a conversation, in their order; what a model thought is folded. */
export function ShowMessages({ messages, label = '' }: { messages: readonly Message[]; label?: string }) {
  return messages.map((message, at) => {
    const name = `${label}Message ${at + 1}`
    return (
      // Messages keep their places in a call.
      <section key={String(at)} aria-label={name}>
        <h3>{headingOf(message)}</h3>
        {message.parts.map((part, place) => (
          <ShowMessagePart key={String(place)} part={part} label={`${name}, ${message.role}${place === 0 ? '' : `, part ${place + 1}`}`} />
        ))}
      </section>
    )
  })
}

function headingOf({ role, name, parts }: Message): string {
  const tools = new Set(parts.flatMap((part) => (part.type === 'tool_result' ? (part.name ?? []) : [])))
  if (tools.size > 0) return `${role}, result of ${[...tools].join(', ')}`
  return name === undefined ? role : `${role} (${name})`
}
