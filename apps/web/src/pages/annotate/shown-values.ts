import { valueAt } from '@heddle/core-api/internal'

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
  const values = paths.map((path) => ({ path, value: valueAt(call, nameOf(path)) }))
  return displayFields.length > 0 ? values : values.filter(({ value }) => value !== undefined && value !== null)
}

/** Queues of other programs write `input` for `inputs`. */
const nameOf = (path: string) => path.replace(/^input(?=\.|$)/, 'inputs')
