import type { JsonObject } from '@heddle/core-api'
import { type Choice, createToolCallJoiner, joinedCalls, type ToolCallJoiner } from '@heddle/core-api/histories'
import type { Completion } from '../model-api.ts'
import { idsOf, isJsonObject, objectsOf } from '../json-values.ts'

/** Puts the chunks of a streamed chat completion together, as the same completion would have been sent in one piece. */
export function createChunkReader(): { add(chunk: JsonObject): void; completion(): Completion } {
  const choices = new Map<number, Choice>()
  const calls = new Map<Choice, ToolCallJoiner>()
  let promptTokens: unknown
  let model: string | undefined
  let responseIds: string[] = []

  function addCalls(choice: Choice, deltas: readonly JsonObject[]) {
    if (deltas.length === 0) return
    const joiner = calls.get(choice) ?? createToolCallJoiner()
    calls.set(choice, joiner)
    joiner.add(deltas)
  }

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
        if (isJsonObject(piece['delta'])) addCalls(choice, objectsOf(piece['delta']['tool_calls']))
      }
    },
    completion() {
      const all = [...choices.values()].toSorted((a, b) => Number(a['index']) - Number(b['index']))
      if (promptTokens !== undefined) for (const choice of all) choice['prompt_token_ids'] ??= promptTokens
      for (const [choice, joiner] of calls) choice.message['tool_calls'] = joinedCalls(joiner)
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

/** Texts grow; anything else is replaced. Calls of tools are joined by themselves. */
function addDelta(message: JsonObject, delta: JsonObject) {
  for (const [key, value] of Object.entries(delta)) {
    if (value === null || value === undefined || key === 'role' || key === 'tool_calls') continue
    message[key] = typeof value === 'string' && typeof message[key] === 'string' ? message[key] + value : value
  }
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
