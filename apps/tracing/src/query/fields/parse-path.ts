import { badRequest, countsFromEnd, maxPathCharacters, maxPathParts, splitPath } from '@heddle/core-api/internal'
import { refuseField } from './refuse-field.ts'

/**
 * The keys that a field path leads through.
 * @throws 422 for a negative list index, 400 beyond 100 parts or 4000 characters.
 */
export function parsePath(path: string): string[] {
  if (path.length > maxPathCharacters) throw badRequest(`Field path of ${path.length} characters is too long: at most ${maxPathCharacters}`)
  const segments = splitPath(path)
  if (segments.length > maxPathParts) throw badRequest(`Field path of ${segments.length} parts is too deep: at most ${maxPathParts}`)
  const negative = segments.find(countsFromEnd)
  if (negative !== undefined) throw refuseField(`Negative array index ${negative} in field ${path} is not supported`)
  return segments
}

/** The 0-based list position that a part of a path names; undefined when it is a key alone. */
export function listIndex(segment: string): number | undefined {
  return /^\d{1,9}$/.test(segment) ? Number(segment) : undefined
}
