import type { JsonObject } from '@heddle/core-api'
import { createToolCallJoiner, joinedCalls } from '@heddle/core-api/histories'
import { isJsonObject } from '@heddle/core-api/internal'

/** Assembles the chunks of a streamed completion into the equivalent complete response. */
export interface AssembledCompletion {
  add(chunk: JsonObject): void
  /** Response assembled from the chunks so far. */
  response(): JsonObject
}

type Fields = Map<string, unknown>

/** Fields whose parts are joined; for other fields the last value is kept. */
const joined: ReadonlySet<string> = new Set(['content', 'refusal', 'reasoning', 'reasoning_content', 'name', 'arguments'])

export function assembleCompletion(): AssembledCompletion {
  const head: Fields = new Map()
  const choices = new Map<number, AssembledChoice>()
  return {
    add({ choices: parts, ...others }) {
      merge(head, others)
      for (const part of objectsOf(parts)) placeOf(choices, part, createChoice).add(part)
    },
    response() {
      const object = head.get('object') === 'chat.completion.chunk' ? { object: 'chat.completion' } : {}
      return { ...Object.fromEntries(head), ...object, choices: inOrder(choices).map(([index, choice]) => ({ index, ...choice.whole() })) }
    },
  }
}

interface AssembledChoice {
  add(part: JsonObject): void
  whole(): JsonObject
}

function createChoice(): AssembledChoice {
  const fields: Fields = new Map()
  const message: Fields = new Map()
  const toolCalls = createToolCallJoiner()
  const logprobs = new Map<string, unknown[]>()
  return {
    add(part) {
      const { index: _, delta, logprobs: sampled, ...others } = part
      merge(fields, others)
      for (const [name, list] of isJsonObject(sampled) ? Object.entries(sampled) : [])
        if (Array.isArray(list)) pushAll(logprobs, name, list)
      if (!isJsonObject(delta)) return
      const { tool_calls, ...spoken } = delta
      merge(message, spoken)
      toolCalls.add(objectsOf(tool_calls))
    },
    whole() {
      const called = joinedCalls(toolCalls)
      return {
        message: { ...toObject(message), ...(called.length > 0 && { tool_calls: called }) },
        ...(logprobs.size > 0 && { logprobs: Object.fromEntries(logprobs) }),
        ...toObject(fields),
      }
    },
  }
}

const newFields = (): Fields => new Map()

/** Nested fields (the function of a tool call) are merged likewise; null does not overwrite known values. */
function merge(fields: Fields, part: JsonObject): void {
  for (const [name, value] of Object.entries(part)) {
    const before = fields.get(name)
    if (name === 'function' && isJsonObject(value)) {
      const called = before instanceof Map ? (before as Fields) : newFields()
      fields.set(name, called)
      merge(called, value)
    } else if (joined.has(name) && typeof before === 'string' && typeof value === 'string') fields.set(name, before + value)
    else if (value !== null || before === undefined) fields.set(name, value)
  }
}

function toObject(fields: Fields): JsonObject {
  return Object.fromEntries([...fields].map(([name, value]) => [name, value instanceof Map ? toObject(value as Fields) : value]))
}

function pushAll(lists: Map<string, unknown[]>, name: string, more: readonly unknown[]): void {
  const list = lists.get(name) ?? []
  lists.set(name, list)
  for (const each of more) list.push(each)
}

function placeOf<T>(places: Map<number, T>, { index }: JsonObject, create: () => T): T {
  const at = Number(index ?? 0) || 0
  const found = places.get(at) ?? create()
  places.set(at, found)
  return found
}

const inOrder = <T>(places: ReadonlyMap<number, T>) => [...places].toSorted(([a], [b]) => a - b)
const objectsOf = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.filter(isJsonObject) : [])
