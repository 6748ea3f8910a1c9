import type { JsonObject } from '@heddle/core-api'
import type { Choice } from '@heddle/core-api/histories'
import type { Completion } from '../model-api.ts'
import { idsOf, isJsonObject, objectsOf } from '../json-values.ts'

/** Puts the chunks of a streamed chat completion together, as the same completion would have been sent in one piece. */
export function createChunkReader(): { add(chunk: JsonObject): void; completion(): Completion } {
  const choices = new Map<number, Choice>()
  let promptTokens: unknown
  let model: string | undefined
  let responseIds: string[] = []
  return {
    add(chunk) {
      if (typeof chunk['model'] === 'string') model = chunk['model']
      if (responseIds.length === 0) responseIds = idsOf(chunk)
      promptTokens ??= chunk['prompt_token_ids'] ?? undefined
      for (const piece of objectsOf(chunk['choices'])) {
        const index = typeof piece['index'] === 'number' ? piece['index'] : 0
        const choice = choices.get(index) ?? { index, finish_reason: null, message: { role: 'assistant', content: null }, logprobs: null }
        choices.set(index, choice)
        addPiece(choice, piece)
      }
    },
    completion() {
      const all = [...choices.values()].toSorted((a, b) => Number(a['index']) - Number(b['index']))
      if (promptTokens !== undefined) for (const choice of all) choice['prompt_token_ids'] ??= promptTokens
      const isComplete = all.length > 0 && all.every((choice) => typeof choice['finish_reason'] === 'string')
      return { choices: all, model, isComplete, responseIds }
    },
  }
}

const reasons = ['finish_reason', 'stop_reason'] as const
const tokenLists = ['token_ids', 'prompt_token_ids'] as const

function addPiece(choice: Choice, piece: JsonObject) {
  if (isJsonObject(piece['delta'])) addDelta(choice.message, piece['delta'])
  for (const key of reasons) if (piece[key] !== null && piece[key] !== undefined) choice[key] = piece[key]
  for (const key of tokenLists) if (Array.isArray(piece[key])) choice[key] = joined(choice[key], piece[key])
  if (isJsonObject(piece['logprobs'])) choice['logprobs'] = joinedLogprobs(choice['logprobs'], piece['logprobs'])
}

/** Texts grow; the parts of a tool call are found by their index; anything else is replaced. */
function addDelta(message: JsonObject, delta: JsonObject) {
  for (const [key, value] of Object.entries(delta)) {
    if (value === null || value === undefined || key === 'role') continue
    if (key === 'tool_calls') message[key] = joinedToolCalls(objectsOf(message[key]), objectsOf(value))
    else message[key] = typeof value === 'string' && typeof message[key] === 'string' ? message[key] + value : value
  }
}

function joinedToolCalls(calls: JsonObject[], deltas: readonly JsonObject[]): JsonObject[] {
  for (const { index, function: part, ...rest } of deltas) {
    const place = typeof index === 'number' && index >= 0 && index <= calls.length ? index : calls.length
    const call = (calls[place] ??= { type: 'function', function: { name: '', arguments: '' } })
    for (const [key, value] of Object.entries(rest)) if (value !== null) call[key] = value
    if (isJsonObject(part) && isJsonObject(call['function'])) addFunction(call['function'], part)
  }
  return calls
}

function addFunction(target: JsonObject, part: JsonObject) {
  if (typeof part['name'] === 'string') target['name'] = part['name']
  if (typeof part['arguments'] === 'string') target['arguments'] = `${String(target['arguments'])}${part['arguments']}`
}

function joinedLogprobs(before: unknown, piece: JsonObject): JsonObject {
  const target: JsonObject = isJsonObject(before) ? before : { content: null, refusal: null }
  for (const [key, value] of Object.entries(piece)) if (Array.isArray(value)) target[key] = joined(target[key], value)
  return target
}

function joined(before: unknown, more: readonly unknown[]): unknown[] {
  const list: unknown[] = Array.isArray(before) ? before : []
  for (const value of more) list.push(value)
  return list
}
