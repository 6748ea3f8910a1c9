import { type EventCarrier, findCarried } from '../attributes/event-carriers.ts'
import { isJsonObject, type JsonObject, newObject, parsed } from '../../json-value.ts'
import { mastraNames } from '../attributes/mastra-names.ts'
import { type FoundAttribute, NameTable } from '../attributes/name-table.ts'
import { attributesOfEvents, type ExpandedEvent, messagesOfEvents } from '../attributes/span-events.ts'
import { withLists } from '../attributes/with-lists.ts'

const names = new NameTable({
  beforeEvents: [
    'ai.prompt',
    'gen_ai.prompt',
    'input.value',
    'mlflow.spanInputs',
    'gen_ai.input.messages',
    'pydantic_ai.all_messages',
    'traceloop.entity.input',
    'gcp.vertex.agent.tool_call_args',
    'gcp.vertex.agent.llm_request',
  ],
  afterEvents: [
    'langfuse.observation.input',
    'langfuse.trace.input',
    'ai.toolCall.args',
    'ai.value',
    'ai.values',
    'gen_ai.tool.call.arguments',
    'tool_arguments',
    'gen_ai.retrieval.query.text',
    'request_data',
    'all_messages_events',
    'llm.input_messages',
    'llm.prompts',
    'genkit:input',
    'llm.messages',
    'user_prompt',
    ...mastraNames('input'),
    'input',
    'inputs',
  ],
})

/** Used when the span's own attributes have none. */
const carriers: readonly EventCarrier[] = [
  { event: 'gen_ai.client.inference.operation.details', name: 'gen_ai.input.messages', path: ['gen_ai', 'input', 'messages'] },
  { event: 'gen_ai.content.prompt', name: 'gen_ai.prompt', path: ['gen_ai', 'prompt'] },
]

/** The inputs of a call as one member with its original name; `input` and `inputs` with an object are that object. Undefined if there are none. */
export function mapInputs(attributes: JsonObject, events: ExpandedEvent[]): JsonObject | undefined {
  const { beforeEvents, afterEvents } = names.find(attributes)
  const found = beforeEvents ?? fromMessages(events) ?? afterEvents ?? findCarried(carriers, events)
  if (!found) return undefined
  const value = withLists(found.value)
  const own = found.name === 'input' || found.name === 'inputs' ? parsed(value) : undefined
  if (isJsonObject(own)) return own
  const inputs = newObject()
  inputs[found.name] = value
  return inputs
}

function fromMessages(events: ExpandedEvent[]): FoundAttribute | undefined {
  if (events.length === 0) return undefined
  const messages = messagesOfEvents(events)
  if (messages) return { name: 'events.gen_ai.messages', value: messages }
  const value = attributesOfEvents(events, 'gen_ai.user.message')
  return value && { name: 'events.gen_ai.user.message', value }
}
