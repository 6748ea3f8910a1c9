import type { Attributes } from '@opentelemetry/api'
import { copySpan } from '../spans/copy-span.ts'
import type { ReadableSpan } from '../spans/readable-span.ts'

/** Attribute of a shortened span: how many characters of its values were cut off. */
const droppedCharactersAttribute = 'heddle.dropped_characters'

/** Longest texts of a span that a server found too large, one attempt after the other. */
export const shorteningSteps: readonly number[] = [65_536, 16_384, 4096, 1024, 256]

/** The span with the texts of its attributes and events truncated to this many characters; undefined when none is longer. */
export function shortenSpan(span: ReadableSpan, maxCharacters: number): ReadableSpan | undefined {
  let dropped = 0
  const shorten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shorten)
    if (typeof value !== 'string' || value.length <= maxCharacters) return value
    dropped += value.length - maxCharacters
    return value.slice(0, maxCharacters)
  }
  const shortenAll = (attributes: Attributes): Attributes =>
    Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, shorten(value) as Attributes[string]]))
  const attributes = shortenAll(span.attributes)
  const events = span.events.map((event) => ({ ...event, attributes: shortenAll(event.attributes ?? {}) }))
  if (dropped === 0) return undefined
  return copySpan(span, { attributes: { ...attributes, [droppedCharactersAttribute]: dropped }, events })
}
