import type { JsonObject } from '@heddle/core-api'
import type { Choice, Message } from '@heddle/core-api/histories'
import type { StoredResponses } from './responses/stored-responses.ts'

/** The input of a request, as messages and tools of a chat completion. */
export interface Conversation {
  messages: readonly Message[]
  tools: readonly JsonObject[] | null
}

/** The output of a response, as choices of a chat completion. */
export interface Completion {
  choices: Choice[]
  model: string | undefined
  /** False where the response was left before each choice had its `finish_reason`. */
  isComplete: boolean
  /** Ids of the response given by the endpoint, or by a framework after it. */
  responseIds: readonly string[]
}

/** Why a call has no form as a chat completion. */
export interface Unrecordable {
  unrecordable: string
}

/** Puts the events of one stream together, as the same response would have been sent in one piece. */
export interface StreamReader {
  /** Adds the text of an event. Anything that is not a JSON object is ignored. */
  add(data: string): void
  completion(): Completion | Unrecordable
  /** The response as far as it has arrived, where later requests may refer to it. */
  body(): JsonObject | undefined
}

/** One API of model endpoints, read as chat completions. */
export interface ModelApi {
  name: 'chat' | 'responses' | 'messages'
  /** Whether a request may refer to the responses before it, which are then read as soon as they end. */
  isStored: boolean
  /** Why the body is not a request of this API; undefined if it is one. */
  problemOf(body: JsonObject): string | undefined
  /** `stored` holds the responses and items that a request may refer to by id. */
  conversationOf(body: JsonObject, stored: StoredResponses): Conversation | Unrecordable
  /** A response in one piece. */
  completionOf(body: JsonObject): Completion | Unrecordable
  createStreamReader(): StreamReader
  /** Keeps what later requests may refer to. `body` is that of the response. */
  store(request: JsonObject, body: JsonObject, stored: StoredResponses): void
  /** What makes the endpoint return log-probabilities; undefined where the program decided on them. */
  asksLogprobs(body: JsonObject): JsonObject | undefined
}

export function isUnrecordable(value: object): value is Unrecordable {
  return 'unrecordable' in value
}

/** What `read` returns; a value of a framework that cannot be read (a cycle, a getter that throws) does not reach the program. */
export function recordable<T>(read: () => T): T | Unrecordable {
  try {
    return read()
  } catch (error) {
    return { unrecordable: `a model call that cannot be read: ${String(error)}` }
  }
}
