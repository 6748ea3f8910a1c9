import { badRequest } from '@heddle/core-api/internal'
import { refuseField } from './refuse-field.ts'

const maxSegments = 100
const maxLength = 4000

/**
 * Splits a field path at its dots. `\.` stands for a dot inside a key; any other backslash is itself.
 * @throws 422 for a negative list index, 400 beyond 100 parts or 4000 characters.
 */
export function parsePath(path: string): string[] {
  if (path.length > maxLength) throw badRequest(`Field path of ${path.length} characters is too long: at most ${maxLength}`)
  const segments = path.split(/(?<!\\)\./).map((segment) => segment.replaceAll('\\.', '.'))
  if (segments.length > maxSegments) throw badRequest(`Field path of ${segments.length} parts is too deep: at most ${maxSegments}`)
  const negative = segments.find((segment) => /^-\d+$/.test(segment))
  if (negative !== undefined) throw refuseField(`Negative array index ${negative} in field ${path} is not supported`)
  return segments
}

/** The 0-based list position that a part of a path names; undefined when it is a key alone. */
export function listIndex(segment: string): number | undefined {
  return /^\d{1,9}$/.test(segment) ? Number(segment) : undefined
}
