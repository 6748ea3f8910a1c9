import { createHash } from 'node:crypto'
import { stringifyJson } from '@heddle/json'
import { type ChatChoice, type ChatMessage, type History, isChoice, type MessageOrChoice } from './trajectory.ts'
import { TrainingInputError } from './training-input-error.ts'

interface Exchange {
  messages: ChatMessage[]
  tools: unknown[] | null
  choice: ChatChoice
  model: string
  startTime: string
}

interface OpenHistory {
  elements: MessageOrChoice[]
  /** Digest of all its messages; a request that continues it begins with the same ones. */
  digest: string
  tools: unknown[] | null
}

const maxHistories = 64

/** The kinds of exchanges that a client may record in addition to chat completions. */
const otherKinds = ['completions', 'responses', 'messages']

/**
 * The first reason why recorded exchanges cannot be trained on, and its location; null for none. An unsupported kind is refused by name and never
 * ignored silently.
 */
export function findExchangeProblem(exchanges: unknown): { path: string[]; message: string } | null {
  if (!isObject(exchanges)) return { path: [], message: 'Input should be a valid dictionary' }
  const kind = otherKinds.find((each) => isFilled(exchanges[each]))
  if (kind !== undefined) return { path: [kind], message: `${kind} cannot be trained on; record chat completions` }
  const list = exchanges['chat_completions'] ?? []
  if (!Array.isArray(list)) return { path: ['chat_completions'], message: 'Input should be a valid list' }
  const bad = list.findIndex((each) => toExchange(each) === null)
  if (bad === -1) return null
  return { path: ['chat_completions', String(bad)], message: 'Input should have a request with messages and a response with a choice' }
}

/**
 * Conversations from recorded requests and responses, ordered by start. A request that begins with an earlier conversation and its response continues
 * it. Only responses of the model under training are choices; all others are context.
 * @throws TrainingInputError for the problems of `findExchangeProblem`
 */
export function readExchanges(
  exchanges: unknown,
  { isTrainedModel, place }: { isTrainedModel: (name: string) => boolean; place: string },
): History[] {
  const problem = findExchangeProblem(exchanges)
  if (problem !== null) throw new TrainingInputError(`${[place, ...problem.path].join('.')}: ${problem.message}`)
  const list = ((exchanges as { chat_completions?: unknown[] }).chat_completions ?? []).map((each) => toExchange(each)!)
  const histories: OpenHistory[] = []
  const open = new Map<string, OpenHistory>()
  for (const exchange of list.toSorted((a, b) => compareTexts(a.startTime, b.startTime))) {
    const history = addExchange(open, exchange, isTrainedModel)
    if (!histories.includes(history)) histories.push(history)
    if (histories.length > maxHistories) throw new TrainingInputError(`${place} holds more than ${maxHistories} conversations; send fewer`)
  }
  return histories.map(({ elements, tools }) => ({ messages_and_choices: elements, tools }))
}

function addExchange(open: Map<string, OpenHistory>, exchange: Exchange, isTrainedModel: (name: string) => boolean): OpenHistory {
  const { messages, choice, tools, model } = exchange
  const digests = prefixDigests(messages)
  const known = digests.findLastIndex((digest) => open.has(digest))
  const history = open.get(digests[known] ?? '') ?? { elements: [], digest: '', tools }
  open.delete(history.digest)
  const response = toMessage(choice)
  history.elements.push(...messages.slice(known + 1), isTrainedModel(model) ? choice : response)
  history.tools = tools
  history.digest = addDigest(digests.at(-1) ?? '', response)
  open.set(history.digest, history)
  return history
}

/** A digest for the first message, the first two, and so on. */
function prefixDigests(messages: readonly ChatMessage[]): string[] {
  let digest = ''
  return messages.map((message) => (digest = addDigest(digest, message)))
}

/** Clients pad messages with nulls, so only other values count. */
function addDigest(digest: string, { role, content, tool_calls: calls, tool_call_id: id }: ChatMessage): string {
  const told = [digest, role, content ?? '', (calls ?? []).map(toldCall), id ?? null]
  return createHash('sha256').update(stringifyJson(told)).digest('base64')
}

function toldCall(call: unknown): unknown {
  if (!isObject(call) || !isObject(call['function'])) return call
  return [call['id'] ?? null, call['function']['name'] ?? null, call['function']['arguments'] ?? null]
}

function toExchange(value: unknown): Exchange | null {
  if (!isObject(value) || !isObject(value['request']) || !isObject(value['response'])) return null
  const { request, response } = value
  const messages = (request as Record<string, unknown>)['messages']
  const choices = (response as Record<string, unknown>)['choices']
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  if (!Array.isArray(messages) || !messages.every(isMessage) || !isObject(choice) || !isObject(choice['message'])) return null
  const tools = (request as Record<string, unknown>)['tools']
  return {
    messages,
    tools: Array.isArray(tools) ? tools : null,
    choice: withPromptTokens(choice as unknown as ChatChoice, response as Record<string, unknown>),
    model: textOf((response as Record<string, unknown>)['model']) || textOf((request as Record<string, unknown>)['model']),
    startTime: textOf(value['start_time']),
  }
}

/** A response carries the tokens of its prompt once for all its choices. */
function withPromptTokens(choice: ChatChoice, response: Record<string, unknown>): ChatChoice {
  const tokens = response['prompt_token_ids']
  return choice.prompt_token_ids == null && Array.isArray(tokens) ? { ...choice, prompt_token_ids: tokens as number[] } : choice
}

function toMessage(choice: ChatChoice): ChatMessage {
  const { content, tool_calls: calls } = choice.message
  return { role: 'assistant', content: content ?? '', ...(calls?.length ? { tool_calls: calls } : {}) }
}

function isMessage(value: unknown): value is ChatMessage {
  return isObject(value) && typeof value['role'] === 'string' && !isChoice(value as unknown as MessageOrChoice)
}

function isFilled(value: unknown): boolean {
  return value != null && !(Array.isArray(value) && value.length === 0)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
