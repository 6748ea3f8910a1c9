import { type Expansion, expandAttributes } from '../../expand-attributes.ts'
import { type JsonObject, newObject, type JsonValue } from '../../json-value.ts'
import type { SpanEvent } from '../../span.ts'

/** An event with its attributes nested. */
export interface ExpandedEvent {
  event: SpanEvent
  attributes: JsonObject
}

const userMessage = 'gen_ai.user.message'
const otherMessages = new Set(['gen_ai.system.message', 'gen_ai.assistant.message', 'gen_ai.tool.message'])

/** Nests the attributes of all events, in order. Conflicts in them never reject a span. */
export function expandEvents(events: SpanEvent[], expansion: Expansion): ExpandedEvent[] {
  return events.map((event) => ({ event, attributes: expandAttributes(event.attributes, 'keep', expansion) }))
}

/** The attributes of all events with that name, in order; undefined if there are none. */
export function attributesOfEvents(events: ExpandedEvent[], name: string): JsonObject[] | undefined {
  const found = events.filter(({ event }) => event.name === name)
  return found.length === 0 ? undefined : found.map(({ attributes }) => attributes)
}

/** The newest event of that name; of equally old ones the last. */
export function newestEvent(events: ExpandedEvent[], name: string): ExpandedEvent | undefined {
  let newest: ExpandedEvent | undefined
  for (const candidate of events) {
    if (candidate.event.name === name && (!newest || candidate.event.timeNs >= newest.event.timeNs)) newest = candidate
  }
  return newest
}

/**
 * The messages of a conversation that were sent as events, in order, each with its event's name as `role` unless it has one. Undefined if there are
 * only user messages, whose names are handled separately.
 */
export function messagesOfEvents(events: ExpandedEvent[]): JsonValue[] | undefined {
  if (!events.some(({ event }) => otherMessages.has(event.name))) return undefined
  const messages = events.filter(({ event }) => event.name === userMessage || otherMessages.has(event.name))
  return messages.map(({ event, attributes }) => {
    const message = newObject()
    message['role'] = event.name
    for (const key of Object.keys(attributes)) message[key] = attributes[key] as JsonValue
    return message
  })
}
