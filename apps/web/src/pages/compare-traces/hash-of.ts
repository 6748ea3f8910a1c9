import { stringifyJson } from '@heddle/json/exact'

/** Equal values have equal hashes, so that traces are compared without their payloads in memory. FNV-1a with 52 bits. */
export function hashOf(value: unknown): number {
  const text = value === undefined ? '' : stringifyJson(value)
  let [high, low] = [0x811c9dc5, text.length >>> 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ (code + at), 0x85ebca6b)
  }
  return (high >>> 0) * 0x100000 + (low >>> 12)
}
