import { type Answer, toAnswerMessage } from '../../../features/playground/answer.ts'
import type { DraftMessage } from '../../../features/playground/draft/draft-message.ts'
import { draftOfCall } from '../../../features/playground/draft/draft-of-call.ts'

/** The conversation after an answer, with the messages that follow: a result for each called tool, else one of the user. */
export function continueWith(messages: readonly DraftMessage[], answer: Answer): readonly DraftMessage[] {
  const said = draftOfCall({ messages: [toAnswerMessage(answer)] })?.draft.messages ?? []
  const results = answer.toolCalls.map(({ id }): DraftMessage => ({ role: 'tool', content: '', toolCallId: id }))
  return [...messages, ...said, ...(results.length > 0 ? results : [{ role: 'user' as const, content: '' }])]
}
