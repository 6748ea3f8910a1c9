import type { JsonObject } from '../shapes/json-object.ts'

/** A message of a conversation, as it travelled. */
export type Message = JsonObject

/** One choice of a chat completion, as received. */
export interface Choice extends JsonObject {
  message: JsonObject
}

/** One conversation: the messages that were sent and sampled, in order. Choices were sampled by the policy; everything else is context. */
export interface History {
  messages_and_choices: (Message | Choice)[]
  tools: JsonObject[] | null
}

/** One chat completion. */
export interface Exchange {
  messages: readonly Message[]
  tools: readonly JsonObject[] | null
  choices: readonly Choice[]
  /** Whether the policy sampled the choices, rather than another model, and to their end. */
  trainable: boolean
}

/** Limit of the training service. */
export const maxHistories = 64

/** True for a choice, which has a message, false for a message, which has a role. */
export function isChoice(element: Message | Choice): element is Choice {
  return typeof element['message'] === 'object' && element['message'] !== null
}

/** The message that a choice becomes in a later request. */
export function messageOf(element: Message | Choice): Message {
  return isChoice(element) ? element.message : element
}
