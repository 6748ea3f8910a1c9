import { type Micros, parseTimestamp } from '@heddle/core-api'
import { JsonNumber } from '@heddle/json'
import type { JsonObject, JsonValue } from '../../json-value.ts'
import { lookUp } from '../attributes/look-up.ts'

const startPath = ['langfuse', 'startTime']
const endPath = ['langfuse', 'endTime']
/** Below this a number counts seconds: as nanoseconds it would lie within 17 minutes of 1970. */
const leastNanoseconds = 1e12

/** Nanoseconds since 1970 as microseconds, cut off; times beyond 2255 become the last one that is exact. */
export function toMicros(nanoseconds: bigint): Micros {
  return Math.min(Number(nanoseconds / 1000n), Number.MAX_SAFE_INTEGER)
}

/** Start of the call: the override of the attributes when it can be read, else the span's own. */
export function startedAt(startNs: bigint, attributes: JsonObject): Micros {
  return readOverride(attributes, startPath) ?? toMicros(startNs)
}

/** End of the call: the override of the attributes when it can be read, else the span's own. Null when the span has not ended. */
export function endedAt(endNs: bigint, attributes: JsonObject): Micros | null {
  return readOverride(attributes, endPath) ?? (endNs === 0n ? null : toMicros(endNs))
}

function readOverride(attributes: JsonObject, path: readonly string[]): Micros | undefined {
  const value = lookUp(attributes, path)
  return value === undefined ? undefined : parseTime(value)
}

/** ISO text (no zone means UTC), whole nanoseconds, or seconds; undefined for anything else. */
function parseTime(value: JsonValue): Micros | undefined {
  if (typeof value === 'string') return value.includes('-') ? parseTimestamp(value) : undefined
  if (value instanceof JsonNumber && /^\d{1,19}$/.test(value.text)) return toMicros(BigInt(value.text))
  const number = typeof value === 'number' || value instanceof JsonNumber ? Number(value) : Number.NaN
  if (!(number > 0) || number > 1e19) return undefined
  return number < leastNanoseconds ? Math.min(Math.trunc(number * 1e6), Number.MAX_SAFE_INTEGER) : toMicros(BigInt(Math.trunc(number)))
}
