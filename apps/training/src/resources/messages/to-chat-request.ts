import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import type { CountTokensRequest, MessageRequest } from '@heddle/core-api/types'
import { refuse } from '../chat-completions/request/refuse.ts'
import { toChatMessages } from './to-chat-messages.ts'
import { toChatTools } from './to-chat-tools.ts'

/** @throws ApiError 400 that names the field whose value cannot be served */
export function toChatRequest(request: MessageRequest): JsonObject {
  const { max_tokens, temperature, top_p, top_k, seed, stop_sequences } = request
  for (const field of ['container', 'mcp_servers'] as const) {
    if (isSet(request[field])) throw refuse(field, 'is not supported; leave it out, and call tools in the client')
  }
  return {
    ...toChatPrompt(request),
    max_tokens,
    temperature,
    top_p,
    top_k,
    seed,
    stop: stop_sequences,
    ...(request.return_token_ids && { return_token_ids: true, logprobs: true }),
    include_reasoning: request.thinking?.['type'] !== 'disabled',
  }
}

/** What the prompt depends on. @throws ApiError 400 that names the field whose value cannot be served */
export function toChatPrompt({ model, messages, system, tools, tool_choice, thinking, output_config }: CountTokensRequest): JsonObject {
  const isContinued = messages.at(-1)?.role === 'assistant'
  return {
    model,
    messages: toChatMessages(system, messages),
    ...toChatTools(tools, tool_choice),
    ...(isContinued && { add_generation_prompt: false, continue_final_message: true }),
    ...readThinking(thinking),
    ...readOutputConfig(output_config),
  }
}

const isSet = (value: unknown) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)

/** `enable_thinking` is the variable by which templates that can write reasoning ask whether to. */
function readThinking(thinking: JsonObject | null): JsonObject {
  if (thinking === null) return {}
  const { type } = thinking
  if (typeof type !== 'string') throw refuse('thinking.type', 'is missing; it may be "enabled", "adaptive" or "disabled"')
  return { chat_template_kwargs: { enable_thinking: type !== 'disabled' } }
}

const highest = ['xhigh', 'max']

function readOutputConfig(config: JsonObject | null): JsonObject {
  if (config === null) return {}
  const { effort, format } = config
  return {
    ...(isSet(effort) && { reasoning_effort: highest.includes(effort as string) ? 'high' : effort }),
    ...(isSet(format) && { response_format: readFormat(format) }),
  }
}

function readFormat(format: unknown): JsonObject {
  if (!isJsonObject(format) || format['type'] !== 'json_schema' || !isJsonObject(format['schema']))
    throw refuse('output_config.format', 'must be {"type": "json_schema", "schema": {…}}')
  return { type: 'json_schema', json_schema: { name: 'output', schema: format['schema'], strict: true } }
}
