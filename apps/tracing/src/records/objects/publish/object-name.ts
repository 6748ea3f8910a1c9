import { ApiError } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'

const maxLength = 128

/**
 * Refuses a name that an object or op cannot have: word characters of any script, dots and dashes are allowed.
 * @throws 422 for another character or none at all, 400 above 128 characters.
 */
export function checkObjectName(name: string): void {
  if (!/^[\p{L}\p{N}_.-]+$/u.test(name)) {
    // The name has the declared shape, so the answer is a reason and no list of findings.
    throw new ApiError(
      'invalid',
      `object name ${shown(name)} may hold letters, digits, "_", "." and "-" only, and at least one of them; replace the others by "-"`,
    )
  }
  const length = [...name].length
  if (length > maxLength)
    throw badRequest(`String too long: object name ${shown(name)} has ${length} characters; at most ${maxLength} are allowed`)
}

function shown(name: string): string {
  return JSON.stringify(name.length > 160 ? `${name.slice(0, 160)}…` : name)
}
