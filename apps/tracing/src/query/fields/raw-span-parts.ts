import { isJsonNumber, JsonText } from '@heddle/core-api/internal'

/** The parts of a raw span that are indexed; absent ones are undefined. */
export interface RawSpanParts {
  spanAttributes: unknown
  resourceAttributes: unknown
}

/** `rawSpan` is any parsed JSON. */
export function rawSpanParts(rawSpan: unknown): RawSpanParts {
  return { spanAttributes: memberOf(rawSpan, 'attributes'), resourceAttributes: memberOf(memberOf(rawSpan, 'resource'), 'attributes') }
}

function memberOf(value: unknown, key: string): unknown {
  const isObject =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value) && !(value instanceof JsonText)
  return isObject && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
}
