/** Characters of a text that is looked into. */
const maxCharacters = 2_000_000

/** An object or a list, or the one that a text holds as JSON: models often answer so. Undefined for all else. */
export function jsonStructure(value: unknown): object | undefined {
  if (typeof value === 'object' && value !== null) return value
  if (typeof value !== 'string' || value.length > maxCharacters || !/^\s*[[{]/.test(value)) return undefined
  try {
    return JSON.parse(value) as object
  } catch {
    return undefined
  }
}
