import { holdsJsonNumber } from '../shapes/json-number.ts'
import { type Choice, type Exchange, type History, type Message, messageOf } from './chat.ts'
import { messageKey, valueKey } from './message-key.ts'

/** The conversations of one trajectory, as they grow. */
export interface Histories {
  /** Adds a chat completion to the history that it continues, or begins one. */
  add(exchange: Exchange): void
  /** The agent's history first, then its branches, retries and sub-agents, ordered by their first response. */
  list(): History[]
  /** How many there are. */
  readonly size: number
}

interface Growing {
  tools: string
  /** Numbers of its messages; equal if the messages mean the same. */
  numbers: number[]
  history: History
}

/**
 * Groups chat completions into conversations. A request continues a history if it has the same tools and its messages begin with all messages of the
 * history; if several match, it continues the longest. Anything else begins a new history: a retry, a parallel attempt, a sub-agent, or a rewritten
 * list of messages.
 */
export function createHistories(): Histories {
  const growing: Growing[] = []
  const numberOf = createMessageNumbers()
  let latest: Growing | undefined

  function begin(exchange: Exchange, tools: string): Growing {
    const begun = { tools, numbers: [], history: { messages_and_choices: [], tools: exchange.tools && [...exchange.tools] } }
    growing.push(begun)
    return begun
  }

  /** A request mostly sends the latest history again, whose numbers are known. */
  function numbersOf(messages: readonly Message[]): number[] {
    return messages.map((message, index) => {
      const element = latest?.history.messages_and_choices[index]
      const known = element && isEqualJson(messageOf(element), message) ? latest?.numbers[index] : undefined
      return known ?? numberOf(message)
    })
  }

  function append(to: Growing, element: Message | Choice, number: number) {
    to.numbers.push(number)
    to.history.messages_and_choices.push(element)
  }

  return {
    add(exchange) {
      const tools = valueKey(exchange.tools)
      const numbers = numbersOf(exchange.messages)
      const continued = growing.filter((candidate) => candidate.tools === tools && beginsWith(numbers, candidate.numbers))
      const longest = continued.toSorted((a, b) => b.numbers.length - a.numbers.length)[0]
      for (const [index, choice] of exchange.choices.entries()) {
        const history = (index === 0 ? longest : undefined) ?? begin(exchange, tools)
        for (let at = history.numbers.length; at < numbers.length; at++) append(history, exchange.messages[at]!, numbers[at]!)
        append(history, exchange.trainable ? choice : choice.message, numberOf(choice.message))
        latest = history
      }
    },
    list: () => growing.map(({ history }) => ({ ...history, messages_and_choices: [...history.messages_and_choices] })),
    get size() {
      return growing.length
    },
  }
}

function beginsWith(numbers: readonly number[], start: readonly number[]): boolean {
  return start.length <= numbers.length && start.every((number, index) => number === numbers[index])
}

/** A message with a text seen before is found by its text; only others are compared by meaning. */
function createMessageNumbers(): (message: Message) => number {
  const byText = new Map<string, number>()
  const byMeaning = new Map<string, number>()
  return (message) => {
    const text = holdsJsonNumber(message) ? messageKey(message) : JSON.stringify(message)
    const known = byText.get(text)
    if (known !== undefined) return known
    const key = messageKey(message)
    const number = byMeaning.get(key) ?? byMeaning.size
    byMeaning.set(key, number)
    byText.set(text, number)
    return number
  }
}

/** Whether two JSON values are equal, with keys in the same order. Fast for equal values. */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  return areEqualMembers(one as Record<string, unknown>, other as Record<string, unknown>)
}

/** Lists of entries would cost more than the comparison. */
function areEqualMembers(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.keys(one)
  const others = Object.keys(other)
  if (keys.length !== others.length) return false
  return keys.every((key, index) => key === others[index] && isEqualJson(one[key], other[key]))
}
