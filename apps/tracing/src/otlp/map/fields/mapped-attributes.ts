import { type JsonObject, type JsonValue, newObject, isJsonObject, ownMember, parsed } from '../../json-value.ts'
import { isTruthy, lookUp } from '../attributes/look-up.ts'
import { NameTable } from '../attributes/name-table.ts'
import { parseAttributeText, type TextBudget } from '../../decode/parse-attribute-text.ts'
import type { ExpandedEvent } from '../attributes/span-events.ts'
import { withLists } from '../attributes/with-lists.ts'

const rows = {
  system: ['gen_ai.system_instructions', 'gen_ai.system', 'llm.system', 'system_prompt'],
  kind: [
    'weave.span.kind',
    'traceloop.span.kind',
    'openinference.span.kind',
    'langfuse.observation.type',
    'mlflow.spanType',
    'langsmith.span.kind',
    'span.type',
    'genkit:metadata:subtype',
    'genkit:type',
    'entity.type',
  ],
  model: [
    'gen_ai.response.model',
    'gen_ai.request.model',
    'llm.model_name',
    'ai.model.id',
    'langfuse.observation.model.name',
    'llm.model',
    'embedding.model_name',
    'mlflow.llm.model',
  ],
  provider: ['gen_ai.provider.name', 'llm.provider', 'ai.model.provider'],
  model_parameters: ['gen_ai.request', 'llm.invocation_parameters', 'ai.settings', 'langfuse.observation.model.parameters'],
  agent_name: ['gen_ai.agent.name'],
  agent_id: ['gen_ai.agent.id'],
  tools: ['gen_ai.agent.tools', 'gen_ai.tool.definitions', 'ai.prompt.tools'],
  operation_name: ['gen_ai.operation.name', 'ai.operationId'],
  response_id: ['gen_ai.response.id'],
  finish_reasons: ['gen_ai.response.finish_reasons'],
  tool_name: ['gen_ai.tool.name', 'ai.toolCall.name', 'tool.name', 'tool_name'],
  tool_call_id: ['gen_ai.tool.call.id', 'ai.toolCall.id', 'tool.call.id'],
} as const

type Row = keyof typeof rows

const names = new NameTable<Row>(rows)
const keys = Object.keys(rows) as Row[]
const detailsEvent = 'gen_ai.client.inference.operation.details'
const instructionsPath = ['gen_ai', 'system_instructions']
const ownAttributesPath = ['wandb', 'attributes']
const requestTypePath = ['llm', 'request', 'type']
/** Request types, and whether reported usage alone already implies that kind. */
const requestTypes: ReadonlyMap<unknown, boolean> = new Map([
  ['chat', true],
  ['completion', true],
  ['embedding', false],
  ['rerank', false],
])

/** The attributes that have a name in every convention, under that name; undefined if there are none. */
export function mapAttributes(attributes: JsonObject, events: ExpandedEvent[]): JsonObject | undefined {
  const found = names.find(attributes)
  let mapped: JsonObject | undefined
  for (const key of keys) {
    const value = found[key]?.value ?? (key === 'system' ? instructionsOf(events) : undefined)
    if (value !== undefined) (mapped ??= newObject())[key] = key === 'kind' || key === 'model' ? withoutQuotes(value) : withLists(value)
  }
  if (mapped !== undefined) addActionName(mapped, attributes)
  return mapped
}

/** One library names a model or a tool in the same attribute; the kind distinguishes them. */
function addActionName(mapped: JsonObject, attributes: JsonObject): void {
  const name = ownMember(attributes, 'genkit:name')
  if (typeof name !== 'string' || name === '') return
  if (mapped['kind'] === 'model' || mapped['kind'] === 'embedder') mapped['model'] ??= name
  else if (mapped['kind'] === 'tool') mapped['tool_name'] ??= name
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
 * Adds the type of a request as the `kind` of `target` if nothing else in it determines the kind of the call. A text request with usage needs none:
 * its usage determines the kind, and its attributes remain those that clients know.
 */
export function addRequestKind(target: JsonObject, attributes: JsonObject, hasUsage: boolean): void {
  if ('kind' in target || 'operation_name' in target) return
  const type = lookUp(attributes, requestTypePath)
  const followsFromUsage = requestTypes.get(type)
  if (type !== undefined && followsFromUsage !== undefined && !(followsFromUsage && hasUsage)) target['kind'] = type
}

/**
 * Puts the members of `wandb.attributes`, an object or its JSON text, at the top level of `target`, overwriting existing ones. Anything else under
 * that name is ignored.
 */
export function addOwnAttributes(target: JsonObject, attributes: JsonObject, texts: TextBudget): JsonObject {
  const sent = lookUp(attributes, ownAttributesPath)
  const own = parsed(typeof sent === 'string' ? parseAttributeText(sent, texts) : sent)
  if (!isJsonObject(own)) return target
  const result = newObject()
  for (const key of Object.keys(target)) result[key] = target[key] as JsonValue
  for (const key of Object.keys(own)) result[key] = withLists(own[key] as JsonValue)
  return result
}
