import { type EventCarrier, findCarried } from '../attributes/event-carriers.ts'
import { isJsonObject, type JsonObject, type JsonValue, newObject, ownMember, parsed } from '../../json-value.ts'
import { mastraNames } from '../attributes/mastra-names.ts'
import { type FoundAttribute, NameTable } from '../attributes/name-table.ts'
import { attributesOfEvents, type ExpandedEvent } from '../attributes/span-events.ts'
import { withLists } from '../attributes/with-lists.ts'

const names = new NameTable({
  response: ['ai.response'],
  beforeEvents: [
    'gen_ai.completion',
    'output.value',
    'gen_ai.output.messages',
    'mlflow.spanOutputs',
    'final_result',
    'gen_ai.content.completion',
    'traceloop.entity.output',
    'gcp.vertex.agent.tool_response',
    'gcp.vertex.agent.llm_response',
  ],
  afterEvents: [
    'langfuse.observation.output',
    'langfuse.trace.output',
    'ai.toolCall.result',
    'ai.embedding',
    'ai.embeddings',
    'gen_ai.tool.call.result',
    'tool_response',
    'gen_ai.retrieval.documents',
    'response_data',
    'llm.output_messages',
    'llm.completions',
    'genkit:output',
    ...mastraNames('output'),
    'output',
    'outputs',
  ],
})

/** Members of `ai.response` that are an answer. */
const answerNames = ['text', 'object', 'toolCalls', 'reasoning', 'files'] as const

/** Used when the span's own attributes have none. */
const carriers: readonly EventCarrier[] = [
  { event: 'gen_ai.client.inference.operation.details', name: 'gen_ai.output.messages', path: ['gen_ai', 'output', 'messages'] },
  { event: 'gen_ai.content.completion', name: 'gen_ai.completion', path: ['gen_ai', 'completion'] },
]

/** The output of a call as one member with its original name; for `output` and `outputs` the bare value, of any type. Undefined if there is none. */
export function mapOutput(attributes: JsonObject, events: ExpandedEvent[]): JsonValue | undefined {
  const { response, beforeEvents, afterEvents } = names.find(attributes)
  const answer = response && holdsAnswer(response.value) ? response : undefined
  const found = answer ?? beforeEvents ?? fromChoices(events) ?? afterEvents ?? findCarried(carriers, events) ?? response
  if (!found) return undefined
  const value = withLists(found.value)
  if (found.name === 'output' || found.name === 'outputs') return value
  const output = newObject()
  output[found.name] = value
  return output
}

/** Whether the object of a response has more than metadata, such as its id and finish reason. */
function holdsAnswer(response: JsonValue): boolean {
  const value = parsed(response)
  return !isJsonObject(value) || answerNames.some((name) => ownMember(value, name) !== undefined)
}

function fromChoices(events: ExpandedEvent[]): FoundAttribute | undefined {
  const value = attributesOfEvents(events, 'gen_ai.choice')
  return value && { name: 'events.gen_ai.choice', value }
}
