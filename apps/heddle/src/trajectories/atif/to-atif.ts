import type { RecordedTrajectory } from '@heddle/agent-instrumentation'
import type { JsonObject } from '@heddle/core-api'
import { type Choice, isChoice, type Message, messageOf } from '@heddle/core-api/histories'
import { isJsonObject } from '@heddle/core-api/internal'
import { parseJson, stringifyJson } from '@heddle/json'

export const atifVersion = 'ATIF-v1.7'

type Step = JsonObject & { step_id: number }

/** Who the documents say the agent was. */
export interface AtifAgent {
  name: string
  version: string
}

/** Where a trajectory is, for its id. */
export interface AtifPlace {
  /** Id of the document, unless its metadata has one. */
  id: string
  /** Of its group. */
  group: string
}

/**
 * A trajectory as an ATIF document. Choices are steps of the agent with their tokens and log-probabilities; results of tools are in the step that
 * called them. Further histories are subagents; reward, metrics and metadata are in `extra`. Null for a trajectory without messages.
 */
export function toAtif(trajectory: RecordedTrajectory, { id, group }: AtifPlace, agent: AtifAgent): JsonObject | null {
  const { messages_and_choices: elements, tools, additional_histories: others = [], reward = 0, metrics = {}, metadata = {} } = trajectory
  if (elements.length === 0) return null
  const own = String(metadata['trajectory_id'] ?? id)
  const subagents = others
    .filter(({ messages_and_choices: each }) => each.length > 0)
    .map((history, at) => ({ ...documentOf(history, agent, metadata), trajectory_id: `${own}-${at + 1}` }))
  return {
    ...documentOf({ messages_and_choices: elements, tools }, agent, metadata),
    trajectory_id: own,
    ...(subagents.length > 0 && { subagent_trajectories: subagents }),
    extra: { reward, group_id: group, metrics, metadata },
  }
}

function documentOf(
  { messages_and_choices: elements, tools }: Pick<RecordedTrajectory, 'messages_and_choices' | 'tools'>,
  agent: AtifAgent,
  metadata: JsonObject,
): JsonObject {
  const model = metadata['model']
  return {
    schema_version: atifVersion,
    agent: { ...agent, ...(typeof model === 'string' && { model_name: model }), ...(tools != null && { tool_definitions: tools }) },
    steps: stepsOf(elements),
  }
}

function stepsOf(elements: readonly (Message | Choice)[]): Step[] {
  const steps: Step[] = []
  for (const element of elements) {
    const message = messageOf(element)
    const caller = message['role'] === 'tool' || message['role'] === 'function' ? steps.at(-1) : undefined
    if (caller?.['source'] === 'agent') addResult(caller, message)
    else steps.push({ step_id: steps.length + 1, ...stepOf(message, element) })
  }
  return steps
}

/** An id is named only where it is one of the step, since the format has no other. */
function addResult(step: Step, { tool_call_id: id, content }: Message): void {
  const calls = (step['tool_calls'] ?? []) as { tool_call_id: string }[]
  const isOwn = calls.some(({ tool_call_id }) => tool_call_id === id)
  const observation = (step['observation'] ??= { results: [] }) as { results: JsonObject[] }
  observation.results.push({ ...(isOwn && { source_call_id: id }), content: textOf(content) })
}

function stepOf(message: Message, element: Message | Choice): JsonObject {
  const { role, content, reasoning_content: reasoning, tool_calls: calls } = message
  if (role !== 'assistant') return { source: role === 'system' || role === 'developer' ? 'system' : 'user', message: textOf(content) }
  const tool_calls = (Array.isArray(calls) ? calls : []).filter(isJsonObject).map(toCall)
  const metrics = isChoice(element) ? metricsOf(element) : null
  return {
    source: 'agent',
    message: textOf(content),
    ...(typeof reasoning === 'string' && { reasoning_content: reasoning }),
    ...(tool_calls.length > 0 && { tool_calls }),
    ...(metrics && { metrics, llm_call_count: 1 }),
  }
}

/** Arguments that are not an object, or are written in another form than ours, are kept as they were written. */
function toCall(call: JsonObject, at: number): JsonObject {
  const { name, arguments: written } = (isJsonObject(call['function']) ? call['function'] : {}) as JsonObject
  const text = typeof written === 'string' ? written : '{}'
  const parsed = parsedOr(text)
  return {
    tool_call_id: String(call['id'] ?? `call-${at}`),
    function_name: String(name ?? ''),
    arguments: parsed ?? {},
    ...((parsed === null || stringifyJson(parsed) !== text) && { extra: { raw_arguments: text } }),
  }
}

function parsedOr(text: string): JsonObject | null {
  try {
    const value: unknown = parseJson(text, { loneSurrogates: 'keep' })
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

function metricsOf(choice: Choice): JsonObject | null {
  const entries = isJsonObject(choice['logprobs']) ? choice['logprobs']['content'] : null
  if (!Array.isArray(entries) || entries.length === 0) return null
  const listed = entries as { token: string; logprob: unknown }[]
  const ids = Array.isArray(choice['token_ids']) ? choice['token_ids'] : listed.map(({ token }) => idOf(token))
  const prompt = choice['prompt_token_ids']
  return {
    completion_tokens: listed.length,
    ...(Array.isArray(prompt) && { prompt_tokens: prompt.length, prompt_token_ids: prompt }),
    ...(ids.length === listed.length && !ids.includes(null) && { completion_token_ids: ids }),
    logprobs: listed.map(({ logprob }) => logprob),
  }
}

function idOf(token: string): number | null {
  const [, digits] = /^token_id:(\d{1,9})$/.exec(token) ?? []
  return digits === undefined ? null : Number(digits)
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : []
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('')
}
