import type { Call, JsonObject } from '@heddle/core-api'
import type { Choice, Message } from '@heddle/core-api/histories'
import { readConversation, toChatMessages } from '@heddle/trace-model'
import { trajectoryAttribute } from '@heddle/core-api/attributes'
import { isJsonObject, objectsOf, parseObject } from '../../capture/json-values.ts'
import { attributeOf } from './call-attribute.ts'
import { isChatMessage } from './chat-message.ts'
import { toNumber, valueAt } from './values.ts'

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
  /** Of prompt and completion; 0 where nothing says. */
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

/** Messages that are chat completions' own stay as they were sent, since a model is trained on what it saw; others are read from their convention. */
function messagesOf(call: Call): Message[] {
  const sent = listAt(call.inputs, messagePaths)
  return sent.length > 0 && sent.every(isChatMessage) ? sent : asSent(toChatMessages(readConversation(call).input))
}

const asSent = (messages: ReturnType<typeof toChatMessages>): Message[] => messages.map((message) => ({ ...message }))

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
  const usages = Object.values(valueAt(summary, 'usage') ?? {})
  const count = (usage: unknown, name: string) => toNumber(valueAt(usage, name)) ?? 0
  return usages.reduce<number>((sum, usage) => {
    const parts = ['prompt_tokens', 'input_tokens', 'completion_tokens', 'output_tokens'].map((name) => count(usage, name))
    return sum + (count(usage, 'total_tokens') || parts.reduce((a, b) => a + b, 0))
  }, 0)
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
  return objectsOf(typeof value === 'string' ? parseObject(`{"list":${value}}`)?.['list'] : value)
}
