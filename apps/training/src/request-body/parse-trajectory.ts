import { isJsonObject } from '@heddle/core-api/internal'
import { itemTexts, memberText } from '../json-text/member-text.ts'
import { parseExactly } from '../json-text/parse-exactly.ts'
import { isChoice, type MessageOrChoice, type Trajectory } from '../sequences/trajectory.ts'

/** Fields with a form chosen by the sender, which are returned unchanged. */
const freeFields = ['metadata', 'metrics'] as const

/**
 * A trajectory of a checked body. Numbers of its tools, its messages and the requests and messages of its `exchanges` keep their written form, so that the
 * chat template writes them as in the prompt of a completion, and so do those of `metadata` and `metrics`; all others, such as log-probabilities, are
 * JavaScript numbers.
 */
export function parseTrajectory(text: string): Trajectory {
  const trajectory = JSON.parse(text) as unknown
  return isJsonObject(trajectory) ? keepExact(trajectory, text) : (trajectory as Trajectory)
}

function keepExact(trajectory: Trajectory & Record<string, unknown>, text: string): Trajectory {
  for (const field of freeFields) if (hasEntries(trajectory[field])) trajectory[field] = exactMember(text, field)
  keepHistoryExact(trajectory, text)
  if (isJsonObject(trajectory.exchanges)) keepExchangesExact(trajectory.exchanges, memberText(text, 'exchanges')!)
  const histories = Array.isArray(trajectory.additional_histories) ? trajectory.additional_histories : []
  if (!histories.some((history) => hasEntries(history?.tools) || hasMessages(history))) return trajectory
  const texts = itemTexts(memberText(text, 'additional_histories')!)
  for (const [at, history] of histories.entries()) if (history !== null) keepHistoryExact(history, texts[at]!)
  return trajectory
}

type History = Pick<Trajectory, 'tools' | 'messages_and_choices'>

function keepHistoryExact(history: History, text: string): void {
  if (hasEntries(history.tools)) Object.assign(history, { tools: exactMember(text, 'tools') })
  if (!hasMessages(history)) return
  const texts = itemTexts(memberText(text, 'messages_and_choices')!)
  const elements = history.messages_and_choices!.map((element, at) => {
    if (isMessage(element)) return parseExactly(texts[at]!)
    if (isJsonObject(element)) keepMessageExact(element, texts[at]!)
    return element
  })
  Object.assign(history, { messages_and_choices: elements })
}

function hasMessages(history: History | null): boolean {
  const elements = history?.messages_and_choices
  return Array.isArray(elements) && elements.some((element) => isMessage(element) || holdsNumber(Object(element).message))
}

const isMessage = (element: MessageOrChoice | null) => typeof element === 'object' && element !== null && !isChoice(element)

/** The message of a choice alone: its texts are long if it has log-probabilities, and few messages hold a number. */
function keepMessageExact(choice: Record<string, unknown>, text: string): void {
  if (holdsNumber(choice['message'])) choice['message'] = exactMember(text, 'message')
}

function holdsNumber(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'object' && value !== null && Object.values(value).some(holdsNumber))
}

/** The messages of the request, and those of the responses. */
function keepExchangesExact(exchanges: Record<string, unknown>, text: string): void {
  const list = exchanges['chat_completions']
  if (!Array.isArray(list) || !holdsNumber(list)) return
  const texts = itemTexts(memberText(text, 'chat_completions')!)
  for (const [at, exchange] of list.entries()) if (isJsonObject(exchange)) keepExchangeExact(exchange, texts[at]!)
}

function keepExchangeExact(exchange: Record<string, unknown>, text: string): void {
  if (holdsNumber(exchange['request'])) exchange['request'] = exactMember(text, 'request')
  const { response } = exchange
  const choices: unknown = isJsonObject(response) ? response['choices'] : undefined
  if (!Array.isArray(choices) || !choices.some((choice) => isJsonObject(choice) && holdsNumber(choice['message']))) return
  const texts = itemTexts(memberText(memberText(text, 'response')!, 'choices')!)
  for (const [at, choice] of choices.entries()) if (isJsonObject(choice)) keepMessageExact(choice, texts[at]!)
}

function hasEntries(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function exactMember(text: string, name: string): unknown {
  return parseExactly(memberText(text, name)!)
}
