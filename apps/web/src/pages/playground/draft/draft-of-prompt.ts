import { memberOf } from '@heddle/core-api/internal'
import type { CallDraft } from '../../../features/playground/draft/draft-of-call.ts'
import { draftOfCall } from '../../../features/playground/draft/draft-of-call.ts'
import type { DraftMessage } from '../../../features/playground/draft/draft-message.ts'
import { fromPromptText } from '../../../features/playground/draft/variables.ts'

/** The messages that a prompt is: its list of them, or its text as a message of the system. Undefined for another object. */
export function draftOfPrompt(val: unknown): CallDraft | undefined {
  const text = memberOf(val, 'content')
  const messages = typeof text === 'string' ? [{ role: 'system', content: text }] : memberOf(val, 'messages')
  const read = draftOfCall({ messages })
  if (!read) return undefined
  const filled = (message: DraftMessage) => (message.isParts ? message : { ...message, content: fromPromptText(message.content) })
  return { ...read, draft: { ...read.draft, messages: read.draft.messages.map(filled) } }
}
