import type { Message } from '@heddle/trace-model'
import { type ReactNode, useMemo } from 'react'
import { Chat, ChatMessage } from '../../ui/chat.tsx'
import { Clamp } from '../../ui/clamp.tsx'
import { chatOf, type ShownMessage } from './chat-of-messages.ts'
import { ShowMessagePart } from './show-message-part.tsx'

interface Properties {
  messages: readonly Message[]
  /** Before the names of the messages, where there are several conversations. */
  label?: string
}

/** Messages of a conversation, in their order, with the results of tools under their calls. */
export function ShowMessages({ messages, label = '' }: Properties) {
  const shown = useMemo(() => chatOf(messages), [messages])
  return (
    <Chat>
      {shown.map((one) => (
        <ShowMessage key={one.place} {...one} name={`${label}Message ${one.place + 1}`} />
      ))}
    </Chat>
  )
}

function ShowMessage({ message, parts, name }: ShownMessage & { name: string }) {
  const { role } = message
  const content = parts.map(({ part, place, answer }) => (
    <ShowMessagePart
      key={place}
      part={part}
      {...(answer && { answer })}
      label={`${name}, ${role}${place === 0 ? '' : `, part ${place + 1}`}`}
    />
  ))
  const isInstruction = role === 'system' || role === 'developer'
  return (
    <ChatMessage role={role} name={message.name} label={name}>
      {isInstruction ? <Instruction>{content}</Instruction> : content}
    </ChatMessage>
  )
}

/** The instructions before a conversation: they repeat each time, so their beginning is enough. */
const Instruction = ({ children }: { children: ReactNode }) => (
  <div className="text-fg-2 [&_.prose]:text-sm">
    <Clamp lines={2}>{children}</Clamp>
  </div>
)
