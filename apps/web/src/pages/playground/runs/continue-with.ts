import { type Answer, toAnswerMessage } from './answer.ts'
import type { DraftMessage } from '../draft/draft.ts'
import { draftOfCall } from '../draft/draft-of-call.ts'

/** The conversation after an answer, with the messages that come next: a result for each tool that was called, else one of the user. */
export function continueWith(messages: readonly DraftMessage[], answer: Answer): readonly DraftMessage[] {
  const said = draftOfCall({ messages: [toAnswerMessage(answer)] })?.draft.messages ?? []
  const results = answer.toolCalls.map(({ id }): DraftMessage => ({ role: 'tool', content: '', toolCallId: id }))
  return [...messages, ...said, ...(results.length > 0 ? results : [{ role: 'user' as const, content: '' }])]
}
