import type { JsonObject } from '@heddle/core-api'
import { functionNameIn } from '@heddle/core-api/histories'
import { isJsonObject, objectsOf, parseObject } from '../json-values.ts'
import { isUnrecordable, type ModelApi, type Unrecordable } from '../model-api.ts'
import { itemsToMessages } from './items-to-messages.ts'
import { outputToChoice } from './output-to-choice.ts'
import { createResponseReader } from './responses-stream.ts'
import type { StoredResponses } from './stored-responses.ts'

const logprobsOfTexts = 'message.output_text.logprobs'

/** `POST /responses`. A request may refer to stored responses or items by id. */
export const responsesApi: ModelApi = {
  name: 'responses',
  isStored: true,
  problemOf: ({ input }) => (typeof input === 'string' || Array.isArray(input) ? undefined : 'it has no input'),
  conversationOf(body, stored) {
    const items = itemsBefore(body, stored)
    if (isUnrecordable(items)) return items
    const messages = itemsToMessages(items)
    if (isUnrecordable(messages)) return messages
    const { instructions } = body
    const system = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []
    const tools = objectsOf(body['tools']).flatMap(toChatTools)
    return { messages: [...system, ...messages], tools: tools.length === 0 ? null : tools }
  },
  completionOf: outputToChoice,
  createStreamReader() {
    const reader = createResponseReader()
    return {
      add(data) {
        const event = parseObject(data)
        if (event) reader.add(event)
      },
      completion: () => outputToChoice(reader.response() ?? {}),
      body: reader.response,
    }
  },
  store(request, response, stored) {
    if (typeof response['id'] !== 'string') return
    const { previous_response_id: previous } = request
    const sent = ownItems(request, stored)
    if (isUnrecordable(sent)) return
    const items = [...sent, ...objectsOf(response['output'])]
    stored.add({ id: response['id'], previousId: typeof previous === 'string' ? previous : undefined, items })
  },
  asksLogprobs({ include }) {
    const included: unknown[] = Array.isArray(include) ? include : []
    return included.includes(logprobsOfTexts) ? undefined : { include: [...included, logprobsOfTexts] }
  },
}

function itemsBefore(body: JsonObject, stored: StoredResponses): JsonObject[] | Unrecordable {
  const { previous_response_id: previous, conversation, prompt } = body
  if (isJsonObject(conversation) || typeof conversation === 'string')
    return { unrecordable: 'a request of a conversation that the endpoint keeps; send the messages, or `previous_response_id`' }
  if (isJsonObject(prompt)) return { unrecordable: 'a request with a prompt that the endpoint keeps; send it as `instructions`' }
  const own = ownItems(body, stored)
  if (isUnrecordable(own) || typeof previous !== 'string') return own
  const before = stored.itemsUpTo(previous)
  if (!before) return { unrecordable: `a request after the response ${JSON.stringify(previous)}, which is not of this trajectory` }
  return [...before, ...own]
}

/** The request's own items, with references replaced by the stored items. */
function ownItems({ input }: JsonObject, stored: StoredResponses): JsonObject[] | Unrecordable {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }]
  const items: JsonObject[] = []
  for (const item of objectsOf(input)) {
    const isReference = item['type'] === 'item_reference'
    const found = isReference ? stored.item(String(item['id'])) : item
    if (!found) return { unrecordable: `a request that refers to the item ${JSON.stringify(item['id'])}, which is not of this trajectory` }
    items.push(found)
  }
  return items
}

/** Functions are flat here and nested in chat completions, which know no namespaces. */
function toChatTools(tool: JsonObject): JsonObject[] {
  if (tool['type'] !== 'namespace' || typeof tool['name'] !== 'string') return [toChatTool(tool, null)]
  const { name: namespace, tools } = tool as { name: string; tools?: unknown }
  return objectsOf(tools).map((each) => toChatTool(each, namespace))
}

function toChatTool(tool: JsonObject, namespace: string | null): JsonObject {
  if (tool['type'] !== 'function') return tool
  const { type, name, ...definition } = tool
  return { type, function: { name: functionNameIn(namespace, String(name)), ...definition } }
}
