import type { JsonObject } from '@heddle/core-api'
import { type Choice, createToolCallJoiner, joinedCalls } from '@heddle/core-api/histories'
import { chatApi } from '../chat/chat-api.ts'
import { isJsonObject, objectsOf } from '../json-values.ts'
import type { Completion, Unrecordable } from '../model-api.ts'
import { outputToChoice } from '../responses/output-to-choice.ts'
import type { LangChainGeneration, LangChainMessage, LangChainResult } from './langchain-run.ts'
import { fieldOf } from './to-chat-message.ts'

/** Pieces of a stream that LangChain does not keep in its result. */
export interface StreamedPieces {
  logprobs: readonly JsonObject[]
  /** The completion, where the pieces carried the chunks as they arrived. */
  completion: Completion | undefined
}

/** The response of a model as choices of a chat completion: the original if LangChain kept it, else rebuilt from its message. */
export function toCompletion({ generations }: LangChainResult, pieces: StreamedPieces): Completion | Unrecordable {
  const all = (generations[0] ?? []).filter(hasMessage)
  const [first] = all
  if (!first) return { choices: [], model: undefined, isComplete: false, responseIds: [] }
  if (pieces.completion) return pieces.completion
  const { response_metadata: metadata = {}, additional_kwargs: more = {} } = first.message
  if (isJsonObject(more['__raw_response'])) return chatApi.completionOf(more['__raw_response'])
  const responseIds = [first.message.id, metadata['id']].filter((id) => typeof id === 'string')
  const model = [metadata['model_name'], metadata['model']].find((name) => typeof name === 'string')
  if (Array.isArray(metadata['output'])) return withIds(outputToChoice(metadata), responseIds)
  const choices = all.map((generation, index) => toChoice(generation, { index, logprobs: index === 0 ? pieces.logprobs : [] }))
  return { choices, model, isComplete: true, responseIds }
}

function withIds(completion: Completion | Unrecordable, ids: readonly string[]): Completion | Unrecordable {
  return 'unrecordable' in completion ? completion : { ...completion, responseIds: [...completion.responseIds, ...ids] }
}

interface WithMessage extends LangChainGeneration {
  message: LangChainMessage
}

function hasMessage(generation: LangChainGeneration): generation is WithMessage {
  return generation.message !== undefined
}

function toChoice(
  { message, generationInfo = {} }: WithMessage,
  { index, logprobs }: { index: number; logprobs: readonly JsonObject[] },
): Choice {
  const calls = sampledCalls(message)
  const { response_metadata: metadata = {}, additional_kwargs: more = {} } = message
  const whole = generationInfo['logprobs'] ?? metadata['logprobs']
  return {
    index,
    finish_reason: finishReasonOf({ ...metadata, ...generationInfo }, calls),
    message: {
      role: 'assistant',
      content: textOf(message.content),
      refusal: typeof more['refusal'] === 'string' ? more['refusal'] : null,
      ...(calls.length > 0 && { tool_calls: calls }),
    },
    logprobs: logprobs.length > 0 ? { content: [...logprobs], refusal: null } : isJsonObject(whole) ? whole : null,
  }
}

/** With the arguments exactly as sampled, which the parsed values do not preserve. */
function sampledCalls(message: LangChainMessage): JsonObject[] {
  const chunks = objectsOf(fieldOf(message, 'tool_call_chunks'))
  if (chunks.length > 0) return joinChunks(chunks)
  const raw = objectsOf(message.additional_kwargs?.['tool_calls'])
  if (raw.length > 0) return raw.map(({ index: _index, ...call }) => call)
  return objectsOf(fieldOf(message, 'tool_calls')).map(({ id, name, args }) => toCall(id, name, JSON.stringify(args ?? {})))
}

/** LangChain does not merge pieces without an index. */
function joinChunks(chunks: readonly JsonObject[]): JsonObject[] {
  const joiner = createToolCallJoiner()
  for (const { index, id, name, args } of chunks) joiner.add([{ index, id, function: { name, arguments: args } }])
  return joinedCalls(joiner)
}

const toCall = (id: unknown, name: unknown, text: unknown): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: typeof text === 'string' ? text : '' },
})

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .filter(({ type }) => type === 'text')
    .map(({ text }) => String(text))
    .join('')
}

const finishReasons: Readonly<Record<string, string>> = {
  stop: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  max_tokens: 'length',
  tool_calls: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'function_call',
  content_filter: 'content_filter',
  refusal: 'content_filter',
}

/** Providers use their own names; some report none for a complete response. */
function finishReasonOf({ finish_reason: reason, stop_reason: other }: JsonObject, calls: readonly JsonObject[]): string {
  const named = finishReasons[String(reason ?? other).toLowerCase()]
  return named ?? (calls.length > 0 ? 'tool_calls' : 'stop')
}
