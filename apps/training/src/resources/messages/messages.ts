import { type MessagesDeps, messagesHandlers } from './messages-handlers.ts'

/** Chat completions in the form of Anthropic's Messages. */
export function createMessages(deps: MessagesDeps) {
  return { handlers: messagesHandlers(deps) }
}
