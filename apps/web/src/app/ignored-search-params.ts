/**
 * The parameters of an address that its page ignores, as `name=value`. `given` are those of the address, `read` those that the page parsed from it:
 * unknown values are dropped or cut.
 */
export function ignoredSearchParams(given: Record<string, unknown>, read: Record<string, unknown>): string[] {
  return Object.entries(given)
    .filter(([name, value]) => value !== '' && value !== null && value !== undefined && !isSame(value, read[name]))
    .map(([name, value]) => `${name}=${textOf(value)}`)
}

const maxCharacters = 80

const isSame = (given: unknown, read: unknown) =>
  read !== undefined && (String(given) === String(read) || JSON.stringify(given) === JSON.stringify(read))

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
}
