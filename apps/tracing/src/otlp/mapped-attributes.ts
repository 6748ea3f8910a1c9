import { type JsonObject, type JsonValue, newObject, isJsonObject, parsed } from './json-value.ts'
import { attributeNames, findFirst, isTruthy, lookUp } from './look-up.ts'
import { parseAttributeText } from './parse-attribute-text.ts'
import type { ExpandedEvent } from './span-events.ts'
import { withLists } from './with-lists.ts'

const rows = [
  ['system', attributeNames('gen_ai.system_instructions', 'gen_ai.system', 'llm.system', 'system_prompt')],
  [
    'kind',
    attributeNames(
      'weave.span.kind',
      'traceloop.span.kind',
      'openinference.span.kind',
      'langfuse.observation.type',
      'mlflow.spanType',
      'langsmith.span.kind',
    ),
  ],
  [
    'model',
    attributeNames('gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name', 'ai.model.id', 'langfuse.observation.model.name'),
  ],
  ['provider', attributeNames('gen_ai.provider.name', 'llm.provider', 'ai.model.provider')],
  [
    'model_parameters',
    attributeNames('gen_ai.request', 'llm.invocation_parameters', 'ai.settings', 'langfuse.observation.model.parameters'),
  ],
  ['agent_name', attributeNames('gen_ai.agent.name')],
  ['agent_id', attributeNames('gen_ai.agent.id')],
  ['tools', attributeNames('gen_ai.agent.tools', 'gen_ai.tool.definitions', 'ai.prompt.tools')],
  ['operation_name', attributeNames('gen_ai.operation.name', 'ai.operationId')],
  ['response_id', attributeNames('gen_ai.response.id')],
  ['finish_reasons', attributeNames('gen_ai.response.finish_reasons')],
  ['tool_name', attributeNames('gen_ai.tool.name', 'ai.toolCall.name', 'tool.name')],
  ['tool_call_id', attributeNames('gen_ai.tool.call.id', 'ai.toolCall.id')],
] as const
const detailsEvent = 'gen_ai.client.inference.operation.details'
const instructionsPath = ['gen_ai', 'system_instructions']
const ownAttributesPath = ['wandb', 'attributes']

/** The attributes that have a name in every convention, under that name; undefined when there are none. */
export function mapAttributes(attributes: JsonObject, events: ExpandedEvent[]): JsonObject | undefined {
  let mapped: JsonObject | undefined
  for (const [key, names] of rows) {
    const found = findFirst(attributes, names)?.value ?? (key === 'system' ? instructionsOf(events) : undefined)
    if (found !== undefined) (mapped ??= newObject())[key] = key === 'kind' ? withoutQuotes(found) : withLists(found)
  }
  return mapped
}

function instructionsOf(events: ExpandedEvent[]): JsonValue | undefined {
  for (const { event, attributes } of events) {
    const value = event.name === detailsEvent ? lookUp(attributes, instructionsPath) : undefined
    if (value !== undefined && isTruthy(value)) return value
  }
  return undefined
}

/** A text that is itself a quoted JSON text loses its quotes. */
function withoutQuotes(value: JsonValue): JsonValue {
  if (typeof value !== 'string' || value.length < 2 || !value.startsWith('"') || !value.endsWith('"')) return value
  const text = value.slice(1, -1)
  return /["\\]/.test(text) ? value : text
}

/**
 * Puts the members of `wandb.attributes`, an object or its JSON text, at the top level of `target`, over what is there.
 * Anything else under that name is ignored.
 */
export function addOwnAttributes(target: JsonObject, attributes: JsonObject): JsonObject {
  const sent = lookUp(attributes, ownAttributesPath)
  const own = parsed(typeof sent === 'string' ? parseAttributeText(sent) : sent)
  if (!isJsonObject(own)) return target
  const result = newObject()
  for (const key of Object.keys(target)) result[key] = target[key] as JsonValue
  for (const key of Object.keys(own)) result[key] = withLists(own[key] as JsonValue)
  return result
}
