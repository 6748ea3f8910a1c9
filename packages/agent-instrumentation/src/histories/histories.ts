import { type Choice, type Exchange, type History, type Message, messageOf } from './chat.ts'
import { messageKey, valueKey } from './message-key.ts'

/** The conversations of one trajectory, as they grow. */
export interface Histories {
  /** Adds a chat completion to the history that it continues, or begins one. */
  add(exchange: Exchange): void
  /** The first is that of the agent; the others are its branches, its retries and its sub-agents, in order of their first response. */
  list(): History[]
}

interface Growing {
  tools: string
  keys: string[]
  history: History
}

/**
 * Puts chat completions together into conversations. A request continues a history when it has the same tools and its messages begin with everything
 * that the history holds; of several it continues the longest. Anything else begins a history of its own: a retry, a parallel attempt, a
 * sub-agent, a list of messages that was rewritten.
 */
export function createHistories(): Histories {
  const growing: Growing[] = []

  function begin(exchange: Exchange, tools: string): Growing {
    const begun = { tools, keys: [], history: { messages_and_choices: [], tools: exchange.tools && [...exchange.tools] } }
    growing.push(begun)
    return begun
  }

  function append(to: Growing, element: Message | Choice) {
    to.keys.push(messageKey(messageOf(element)))
    to.history.messages_and_choices.push(element)
  }

  return {
    add(exchange) {
      const tools = valueKey(exchange.tools)
      const keys = exchange.messages.map(messageKey)
      const continued = growing.filter((candidate) => candidate.tools === tools && beginsWith(keys, candidate.keys))
      const longest = continued.toSorted((a, b) => b.keys.length - a.keys.length)[0]
      for (const [place, choice] of exchange.choices.entries()) {
        const history = (place === 0 ? longest : undefined) ?? begin(exchange, tools)
        for (const message of exchange.messages.slice(history.keys.length)) append(history, message)
        append(history, exchange.trainable ? choice : choice.message)
      }
    },
    list: () => growing.map(({ history }) => ({ ...history, messages_and_choices: [...history.messages_and_choices] })),
  }
}

function beginsWith(keys: readonly string[], start: readonly string[]): boolean {
  return start.length <= keys.length && start.every((key, place) => key === keys[place])
}
