import { type Choice, type Exchange, type History, type Message, messageOf } from './chat.ts'
import { isEqualJson } from './equal-json.ts'
import { messageKey, valueKey } from './message-key.ts'

/** The conversations of one trajectory, as they grow. */
export interface Histories {
  /** Adds a chat completion to the history that it continues, or begins one. */
  add(exchange: Exchange): void
  /** The first is that of the agent; the others are its branches, its retries and its sub-agents, in order of their first response. */
  list(): History[]
  /** How many there are. */
  readonly size: number
}

interface Growing {
  tools: string
  /** Of its messages; equal where they mean the same. */
  numbers: number[]
  history: History
}

/**
 * Puts chat completions together into conversations. A request continues a history when it has the same tools and its messages begin with everything
 * that the history holds; of several it continues the longest. Anything else begins a history of its own: a retry, a parallel attempt, a
 * sub-agent, a list of messages that was rewritten.
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
    return messages.map((message, place) => {
      const element = latest?.history.messages_and_choices[place]
      const known = element && isEqualJson(messageOf(element), message) ? latest?.numbers[place] : undefined
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
      for (const [place, choice] of exchange.choices.entries()) {
        const history = (place === 0 ? longest : undefined) ?? begin(exchange, tools)
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
  return start.length <= numbers.length && start.every((number, place) => number === numbers[place])
}

/** A message that was there with the same text is found by that, and only others are compared by what they mean. */
function createMessageNumbers(): (message: Message) => number {
  const byText = new Map<string, number>()
  const byMeaning = new Map<string, number>()
  return (message) => {
    const text = JSON.stringify(message)
    const known = byText.get(text)
    if (known !== undefined) return known
    const key = messageKey(message)
    const number = byMeaning.get(key) ?? byMeaning.size
    byMeaning.set(key, number)
    byText.set(text, number)
    return number
  }
}
