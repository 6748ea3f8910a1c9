import { ApiError } from '@heddle/core-api'

/**
 * The name of the object under which a name as people write it is found: spaces and slashes become `_`, other characters than letters,
 * digits, `_`, `.` and `-` are removed, and the rest is in lower case. Without a name it is `fallback`.
 * @throws 422 where nothing is left of the name.
 */
export function safeObjectName(name: string | null, fallback: string): string {
  if (name === null) return fallback
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
