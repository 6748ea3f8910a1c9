import { memberOf } from '@heddle/core-api/internal'
import { type RecordedCall, readConversation, toChatMessages } from '@heddle/trace-model'
import { type CallDraft, draftOfCall } from './draft-of-call.ts'

/** The conversation that a call sent to a model, in whichever convention it is recorded. Undefined for a call that sent none. */
export function draftOfRecorded(call: RecordedCall): CallDraft | undefined {
  const sent = draftOfCall(call.inputs)
  if (sent && Array.isArray(memberOf(call.inputs, 'messages'))) return sent
  const messages = toChatMessages(readConversation(call).input)
  const [model, tools] = ['model', 'tools'].map((name) => memberOf(call.attributes, name))
  const read = draftOfCall({ messages, model, tools })
  return read ? { ...read, model: sent?.model || read.model } : sent
}
