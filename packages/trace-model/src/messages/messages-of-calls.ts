import { stringifyJson } from '@heddle/json/exact'
import { readConversation, type RecordedCall } from './read-conversation.ts'
import { type ChatMessage, toChatMessages } from './to-chat-messages.ts'

/** A message of a trace, and the first call that contains it. */
export interface TracedMessage {
  callId: string
  message: ChatMessage
}

/** The messages of some calls in their order, in any recorded convention; messages that a later call repeats are listed once. */
export function messagesOfCalls(calls: readonly (RecordedCall & { id: string })[]): TracedMessage[] {
  const seen = new Set<string>()
  return calls.flatMap((call) => {
    const { input, output } = readConversation(call)
    return toChatMessages([...input, ...output]).flatMap((message): TracedMessage[] => {
      const key = stringifyJson(message)
      if (seen.has(key)) return []
      seen.add(key)
      return [{ callId: call.id, message }]
    })
  })
}
