import type { Choice } from '@heddle/core-api/histories'
import { idsOf, isJsonObject, objectsOf } from '../json-values.ts'
import type { ModelApi } from '../model-api.ts'
import { createChatStreamReader } from './chat-stream-reader.ts'

/** `POST /chat/completions`. Every request carries the whole conversation. */
export const chatApi: ModelApi = {
  name: 'chat',
  isStored: false,
  problemOf: (body) => (Array.isArray(body['messages']) ? undefined : 'it has no list of messages'),
  conversationOf(body) {
    const tools = objectsOf(body['tools'])
    return { messages: objectsOf(body['messages']), tools: tools.length === 0 ? null : tools }
  },
  completionOf(body) {
    const choices = objectsOf(body['choices']).filter((choice): choice is Choice => isJsonObject(choice['message']))
    const promptTokens = body['prompt_token_ids']
    return {
      choices: choices.map((choice) => (promptTokens === undefined ? choice : { prompt_token_ids: promptTokens, ...choice })),
      model: typeof body['model'] === 'string' ? body['model'] : undefined,
      isComplete: choices.length > 0,
      responseIds: idsOf(body),
    }
  },
  createStreamReader: createChatStreamReader,
  store() {},
  asksLogprobs: ({ logprobs = null }) => (logprobs === null ? { logprobs: true } : undefined),
}
