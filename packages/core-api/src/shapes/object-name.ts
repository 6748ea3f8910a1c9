/** Most characters of the name of an object. */
const maxLength = 128

/**
 * A name that an object may have, from one that a person gave: runs of other characters than letters, digits, `_`, `.` and `-` of ASCII become a
 * hyphen, and none is at an end. Empty if nothing is left, as of a name in another script.
 */
export function toObjectName(name: string): string {
  const written = name.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^-+/g, '')
  return written.slice(0, maxLength).replaceAll(/-+$/g, '')
}
