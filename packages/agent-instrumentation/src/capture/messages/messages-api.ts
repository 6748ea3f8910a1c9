import type { JsonObject } from '@heddle/core-api'
import { objectsOf, parseObject } from '../json-values.ts'
import { isUnrecordable, type ModelApi } from '../model-api.ts'
import { blocksToMessages, systemToMessages } from './blocks-to-messages.ts'
import { messageToChoice } from './message-to-choice.ts'
import { createMessageReader } from './messages-stream.ts'

/** `POST /v1/messages`. Every request carries the whole conversation. */
export const messagesApi: ModelApi = {
  name: 'messages',
  isStored: false,
  problemOf: (body) => (Array.isArray(body['messages']) ? undefined : 'it has no list of messages'),
  conversationOf(body) {
    const messages = blocksToMessages(objectsOf(body['messages']))
    if (isUnrecordable(messages)) return messages
    const tools = objectsOf(body['tools']).map(toChatTool)
    return { messages: [...systemToMessages(body['system']), ...messages], tools: tools.length === 0 ? null : tools }
  },
  completionOf: messageToChoice,
  createStreamReader() {
    const reader = createMessageReader()
    return {
      add(data) {
        const event = parseObject(data)
        if (event) reader.add(event)
      },
      completion: () => messageToChoice(reader.message()),
      body: () => undefined,
    }
  },
  store() {},
  // The API has none. The training service returns them with the ids of the tokens.
  asksLogprobs: () => undefined,
}

/** A tool that runs on the server of the endpoint stays as it is. */
function toChatTool(tool: JsonObject): JsonObject {
  const { type = 'custom', name, description, input_schema: parameters, strict } = tool
  if (type !== 'custom' && type !== null) return tool
  const called = Object.entries({ name, description, parameters, strict }).filter(([, value]) => value !== undefined)
  return { type: 'function', function: Object.fromEntries(called) }
}
