import { stringifyJson } from '@heddle/json/exact'
import type { Message } from '@heddle/trace-model'

/** What is shown of the messages of a request to a model. */
export interface Turn {
  /** At its start: shown with an earlier request. */
  repeated: readonly Message[]
  /** The others, and the results of the tools that it called, which the next request holds. */
  own: readonly Message[]
}

const texts = new WeakMap<Message, string>()

function textOf(message: Message): string {
  const known = texts.get(message)
  if (known !== undefined) return known
  const text = stringifyJson(message)
  texts.set(message, text)
  return text
}

/** How many messages at the start of a conversation are also at the start of another. */
export function sharedStart(messages: readonly Message[], before: readonly Message[]): number {
  const at = messages.findIndex((message, place) => before[place] === undefined || textOf(message) !== textOf(before[place]))
  return at < 0 ? messages.length : at
}

/** Shows each message once: of requests that continue an earlier one, only what is new, and results of tools with the request that called them. */
export function turnsOf(requests: readonly (readonly Message[])[]): Turn[] {
  const results = new Map<number, readonly Message[]>()
  const turns = requests.map((messages, at) => {
    const { from, shared } = continued(messages, requests.slice(0, at))
    const given = shared > 0 && shared === requests[from]?.length ? resultsAt(messages, shared) : []
    if (given.length > 0 && !results.has(from)) results.set(from, given)
    const start = shared + given.length
    return { repeated: messages.slice(0, start), own: messages.slice(start) }
  })
  return turns.map(({ repeated, own }, at) => ({ repeated, own: [...own, ...(results.get(at) ?? [])] }))
}

/** The last of the earlier requests with which one shares most. */
function continued(messages: readonly Message[], earlier: readonly (readonly Message[])[]) {
  let best = { from: -1, shared: 0 }
  for (const [from, before] of earlier.entries()) {
    const shared = sharedStart(messages, before)
    if (shared > 0 && shared >= best.shared) best = { from, shared }
  }
  return best
}

/** The messages from a position on that hold nothing but results of tools. */
function resultsAt(messages: readonly Message[], start: number): readonly Message[] {
  const isResult = ({ parts }: Message) => parts.every(({ type }) => type === 'tool_result')
  const end = messages.findIndex((message, at) => at >= start && !isResult(message))
  return messages.slice(start, end < 0 ? undefined : end)
}
