import { type JsonObject, type JsonValue, textOf } from '../../json-value.ts'
import { isTruthy, lookUp } from '../attributes/look-up.ts'
import type { Span } from '../../span.ts'
import { type ExpandedEvent, newestEvent } from '../attributes/span-events.ts'

const errorCode = 2
const typePath = ['exception', 'type']
const messagePath = ['exception', 'message']
const errorTypePath = ['error', 'type']
const observationPath = ['langfuse', 'observation']

/**
 * Why the call failed, never empty: the status message, else the newest exception event, else `error.type`, else `error`. Null if it did not fail.
 * One SDK leaves the status unset and reports the failure in one attribute, and the reason in another.
 */
export function mapException(span: Span, attributes: JsonObject, events: ExpandedEvent[]): string | null {
  if (span.statusCode !== errorCode && lookUp(attributes, [...observationPath, 'level']) !== 'ERROR') return null
  if (span.statusMessage !== '') return span.statusMessage
  const [message] = texts(lookUp(attributes, [...observationPath, 'status_message']))
  if (message !== undefined) return message
  return fromEvent(newestEvent(events, 'exception')) ?? texts(lookUp(attributes, errorTypePath))[0] ?? 'error'
}

function fromEvent(event: ExpandedEvent | undefined): string | undefined {
  if (!event) return undefined
  const parts = texts(lookUp(event.attributes, typePath), lookUp(event.attributes, messagePath))
  return parts.length === 0 ? undefined : parts.join(': ')
}

function texts(...values: (JsonValue | undefined)[]): string[] {
  return values.filter((value) => value !== undefined && isTruthy(value)).map((value) => textOf(value as JsonValue))
}
