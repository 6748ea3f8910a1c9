import { splitPath } from './field-path.ts'

/** Longer paths are not accepted by the query language. */
export const maxPathParts = 100
export const maxPathCharacters = 4_000

/** Whether a part of a path is negative, such as `-1`. */
export const countsFromEnd = (part: string): boolean => /^-\d+$/.test(part)

const notComputed = /^summary\.weave\.(?!(?:status|latency_ms|trace_name)$)/

/** Whether the query language takes the path of a value of a call: it has bounds, no key that counts from the end, and of `summary.weave` only computed members. */
export function isQueryable(path: string): boolean {
  if (path.length > maxPathCharacters || notComputed.test(path)) return false
  const parts = splitPath(path)
  return parts.length <= maxPathParts && !parts.some(countsFromEnd)
}
