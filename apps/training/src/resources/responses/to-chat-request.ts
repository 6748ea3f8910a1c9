import type { JsonObject } from '@heddle/core-api'
import { functionNameIn } from '@heddle/core-api/histories'
import { isJsonObject } from '@heddle/core-api/internal'
import type { ResponseRequest } from '@heddle/core-api/types'
import { refuse } from '../chat-completions/request/refuse.ts'
import { listFunctions, type NamedFunction } from './namespaces.ts'

/** The value of `include` for log-probabilities. */
const logprobs = 'message.output_text.logprobs'

/** `conversation`: all messages, the last of the input included. @throws ApiError 400 that names the field whose value cannot be served */
export function toChatRequest(request: ResponseRequest, conversation: readonly JsonObject[]): JsonObject {
  const { model, instructions, max_output_tokens, temperature, top_p, top_logprobs, parallel_tool_calls, seed } = request
  refuseUnsupported(request)
  return {
    model,
    messages: [...(instructions ? [{ role: 'system', content: instructions }] : []), ...conversation],
    tools: request.tools === null ? null : listFunctions(request.tools).map(toChatTool),
    tool_choice: toChatChoice(request.tool_choice),
    parallel_tool_calls,
    ...readText(request.text),
    ...readReasoning(request.reasoning),
    max_completion_tokens: max_output_tokens,
    temperature,
    top_p,
    seed,
    ...(asksLogprobs(request) && { logprobs: true, top_logprobs }),
  }
}

export const asksLogprobs = ({ include }: Pick<ResponseRequest, 'include'>) => include?.includes(logprobs) ?? false

function refuseUnsupported({ background, conversation, prompt, truncation }: ResponseRequest): void {
  if (background === true) throw refuse('background', 'is not supported; wait for the response, or stream it')
  if (isSet(conversation)) throw refuse('conversation', 'is not supported; name the response before in previous_response_id')
  if (isSet(prompt)) throw refuse('prompt', 'is not supported; send its texts in instructions and input')
  if (truncation !== null && truncation !== 'disabled')
    throw refuse('truncation', `is ${JSON.stringify(truncation.slice(0, 100))}; only "disabled" is supported`)
}

const isSet = (value: unknown) => value !== null && value !== undefined

function toChatTool({ namespace, name, tool, about }: NamedFunction): JsonObject {
  const { type, description, parameters, strict } = tool
  const described = about === null ? description : [about, description].filter(isSet).join('\n\n')
  const called = { name: namespace === null ? tool['name'] : functionNameIn(namespace, name), description: described, parameters, strict }
  return { type, function: Object.fromEntries(Object.entries(called).filter(([, value]) => isSet(value))) }
}

function toChatChoice(choice: unknown): unknown {
  if (!isJsonObject(choice)) return choice
  const { type, name, namespace } = choice
  if (type === 'function')
    return { type, function: { name: typeof namespace === 'string' ? functionNameIn(namespace, String(name)) : name } }
  throw refuse(
    'tool_choice.type',
    `is ${JSON.stringify(type)?.slice(0, 100)}; tool_choice may be "none", "auto", "required" or {"type": "function", "name": …}`,
  )
}

function readText(text: JsonObject | null): JsonObject {
  const format = text?.['format']
  if (!isSet(format)) return {}
  if (!isJsonObject(format)) throw refuse('text.format', 'must be an object with a type')
  const { type, name, schema, strict } = format
  return { response_format: type === 'json_schema' ? { type, json_schema: { name, schema, strict } } : { type } }
}

/** Efforts under other names than those of chat templates. */
const efforts: Readonly<Record<string, string>> = { minimal: 'low', xhigh: 'high' }

function readReasoning(reasoning: JsonObject | null): JsonObject {
  const effort = reasoning?.['effort']
  if (!isSet(effort)) return {}
  if (effort === 'none') return { chat_template_kwargs: { enable_thinking: false } }
  return { reasoning_effort: typeof effort === 'string' ? (efforts[effort] ?? effort) : effort }
}
