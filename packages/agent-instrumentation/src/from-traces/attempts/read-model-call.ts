import type { JsonObject } from '@heddle/core-api'
import type { Call } from '@heddle/core-api/types'
import { trajectoryAttribute } from '@heddle/core-api/attributes'
import type { Choice, Message } from '@heddle/core-api/histories'
import { valueAt } from '@heddle/core-api/internal'
import { parseExactJson } from '@heddle/json/exact'
import { jsonTextOf, readConversation, readUsage, toChatMessages } from '@heddle/trace-model'
import { isJsonObject, objectsOf } from '../../capture/json-values.ts'
import { attributeOf } from './call-attribute.ts'
import { toNumber } from './values.ts'

/** Parts of the content of a chat completion's message. */
const partTypes: ReadonlySet<unknown> = new Set(['text', 'image_url', 'input_audio', 'file', 'refusal'])

/** Whether a recorded message is one of a chat completion, as opposed to one of another convention. */
function isChatMessage({ role, parts, content }: JsonObject): boolean {
  if (typeof role !== 'string' || parts !== undefined) return false
  if (content === undefined || content === null || typeof content === 'string') return true
  return Array.isArray(content) && content.every((part: unknown) => partTypes.has(typeOf(part)))
}

const typeOf = (part: unknown) => (typeof part === 'object' && part !== null ? Reflect.get(part, 'type') : undefined)

/** A chat completion as a trace recorded it. */
export interface TracedModelCall {
  callId: string
  messages: Message[]
  tools: JsonObject[] | null
  /** As they were sampled where the trace has them so, else without log-probabilities. */
  choices: Choice[]
  /** False where the program left a stream before its end: what arrived is context. */
  isComplete: boolean
  model: string | undefined
  policyVersion: number | undefined
  /** Tokens of prompt and completion; 0 if they are not recorded. */
  tokens: number
}

const messagePaths = ['messages', 'kwargs.messages', 'gen_ai.input.messages']
const toolPaths = ['tools', 'kwargs.tools']
const answerPaths = ['gen_ai.output.messages', 'messages']

/** Undefined for a call that is not a chat completion, or one whose messages were not recorded. */
export function readModelCall(call: Call): TracedModelCall | undefined {
  const choices = choicesOf(call)
  const messages = choices.length === 0 ? [] : messagesOf(call)
  if (messages.length === 0) return undefined
  const tools = toolsOf(call)
  return {
    callId: call.id,
    messages,
    tools: tools.length > 0 ? tools : null,
    choices,
    isComplete: choices.every(({ finish_reason: reason }) => typeof reason === 'string'),
    model: modelOf(call),
    policyVersion: toNumber(attributeOf(call, trajectoryAttribute.policyVersion)),
    tokens: tokensOf(call, choices),
  }
}

function choicesOf(call: Call): Choice[] {
  const { output } = call
  const whole = [...parsedList(attributeOf(call, trajectoryAttribute.choices)), ...objectsOf(valueAt(output, 'choices'))]
  const sampled = whole.filter((choice): choice is Choice => isJsonObject(choice['message']))
  if (sampled.length > 0) {
    const prompt = valueAt(output, 'prompt_token_ids')
    return sampled.map((choice) => (Array.isArray(prompt) ? { prompt_token_ids: prompt, ...choice } : choice))
  }
  const said = listAt(output, answerPaths)
  const answers = said.length > 0 && said.every(isChatMessage) ? said : asSent(toChatMessages(readConversation(call).output))
  return answers.flatMap((message, index) =>
    message['role'] === 'assistant' ? [{ index, finish_reason: finishOf(message), message, logprobs: null }] : [],
  )
}

/** Messages of chat completions are kept as sent, since a model is trained on its exact input; others are converted from their convention. */
function messagesOf(call: Call): Message[] {
  const sent = listAt(call.inputs, messagePaths)
  return sent.length > 0 && sent.every(isChatMessage) ? sent : asSent(toChatMessages(readConversation(call).input))
}

const asSent = (messages: ReturnType<typeof toChatMessages>): Message[] => parseExactJson(jsonTextOf(messages) ?? '[]') as Message[]

function finishOf({ tool_calls: calls }: Message): string {
  return Array.isArray(calls) && calls.length > 0 ? 'tool_calls' : 'stop'
}

function toolsOf(call: Call): JsonObject[] {
  const sent = listAt(call.inputs, toolPaths)
  return sent.length > 0 ? sent : parsedList(attributeOf(call, 'gen_ai.tool.definitions'))
}

function modelOf(call: Call): string | undefined {
  const names = [
    attributeOf(call, trajectoryAttribute.policyModel),
    valueAt(call.output, 'model'),
    valueAt(call.inputs, 'model'),
    attributeOf(call, 'gen_ai.response.model'),
    attributeOf(call, 'gen_ai.request.model'),
  ]
  return names.find((name) => typeof name === 'string')
}

function tokensOf({ summary }: Call, choices: readonly Choice[]): number {
  const [prompt, sampled] = [choices[0]?.['prompt_token_ids'], choices[0]?.['token_ids']]
  if (Array.isArray(prompt) && Array.isArray(sampled)) return prompt.length + sampled.length
  return readUsage(summary).reduce((sum, { counts }) => sum + counts.total, 0)
}

function listAt(value: unknown, paths: readonly string[]): JsonObject[] {
  for (const path of paths) {
    const found = parsedList(valueAt(value, path))
    if (found.length > 0) return found
  }
  return []
}

/** A list, or its JSON text. */
function parsedList(value: unknown): JsonObject[] {
  return objectsOf(typeof value === 'string' ? parsed(value) : value)
}

/** Numbers keep their written form: a model is trained on its exact input. Undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}
