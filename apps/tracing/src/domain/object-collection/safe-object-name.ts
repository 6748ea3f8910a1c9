import { ApiError } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'

/** Most characters of a given name: each is replaced or removed separately, on the event loop. */
const maxLength = 10_000

/**
 * The name of the object for a given name: spaces and slashes become `_`, characters other than letters, digits, `_`, `.` and `-` are removed, and
 * the rest is in lower case. Without a name it is `fallback`.
 * @throws 422 if nothing is left of the name, 400 above 10,000 characters.
 */
export function safeObjectName(name: string | null, fallback: string): string {
  if (name === null) return fallback
  if (name.length > maxLength) throw badRequest(`String too long: name has ${name.length} characters; at most ${maxLength} are allowed`)
  const safe = name
    .replace(/[ /]/g, '_')
    .replace(/[^\p{L}\p{N}_.-]/gu, '')
    .toLowerCase()
  if (safe === '') {
    const shown = JSON.stringify(name.slice(0, 160))
    throw new ApiError('invalid', `Object name cannot be empty: ${shown} has no letter, digit, "_", "." or "-"`)
  }
  return safe
}
