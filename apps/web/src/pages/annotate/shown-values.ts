/** A value of a call that an annotator sees, by its path. */
export interface ShownValue {
  path: string
  /** Undefined where the call has no such value. */
  value: unknown
}

const standardPaths = ['inputs', 'output', 'exception']

/** The values that a queue shows of a call: those of its display fields, or inputs, output and exception where it has none. */
export function shownValues(call: Readonly<Record<string, unknown>>, displayFields: readonly string[]): ShownValue[] {
  const paths = displayFields.length > 0 ? displayFields : standardPaths
  const values = paths.map((path) => ({ path, value: valueAt(call, path) }))
  return displayFields.length > 0 ? values : values.filter(({ value }) => value !== undefined && value !== null)
}

/** The value at a path such as `inputs.messages.0.content`. Queues of other programs write `input` for `inputs`. */
function valueAt(call: Readonly<Record<string, unknown>>, path: string): unknown {
  const keys = path.split('.')
  if (keys[0] === 'input') keys[0] = 'inputs'
  let value: unknown = call
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
