/** Most values to check. For a request with more, the response omits the path. */
const maxValues = 100_000

/**
 * Names the field of the input that holds a NUL character on the error of a store that refused it: stores name no fields. Returns the error, unchanged
 * where the input has none.
 */
export function nameNulField(error: unknown, input: unknown): unknown {
  if (!(error instanceof Error) || !('kind' in error) || error.kind !== 'data') return error
  const field = findNul(input)
  return field === undefined ? error : Object.assign(error, { field })
}

/** Path of the first text with a NUL character, such as `filter.names[2]`; undefined without one. */
function findNul(input: unknown): string | undefined {
  const waiting: { value: unknown; path: string }[] = [{ value: input, path: '' }]
  for (let looked = 0; waiting.length > 0 && looked < maxValues; looked++) {
    const { value, path } = waiting.pop()!
    if (typeof value === 'string' && value.includes('\0')) return path
    if (typeof value === 'object' && value !== null) waiting.push(...membersOf(value, path).toReversed())
  }
  return undefined
}

function membersOf(value: object, path: string): { value: unknown; path: string }[] {
  if (Array.isArray(value)) return value.slice(0, maxValues).map((member: unknown, index) => ({ value: member, path: `${path}[${index}]` }))
  return Object.entries(value)
    .slice(0, maxValues)
    .flatMap(([key, member]) => {
      const place = path === '' ? key : `${path}.${key}`
      // A name is a value of the field around it.
      return key.includes('\0') ? [{ value: key, path }] : [{ value: member, path: place }]
    })
}
