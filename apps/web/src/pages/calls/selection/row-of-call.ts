import type { Call } from '@heddle/core-api'
import { valueAt } from '@heddle/core-api/internal'

/** Which field of a call goes into which column of a dataset. One without a name is left out. */
export interface DatasetColumn {
  path: string
  name: string
}

type Payloads = Pick<Call, 'inputs' | 'output'>

/** More fields would be no list that a person looks through. */
export const maxColumns = 100

/**
 * The fields that some calls have, with the columns that they usually become: one for each input, and one for the output. An input of the
 * name `output` keeps it with where it comes from; the parts of an output that is an object have no column of their own.
 */
export function columnsOfCalls(calls: readonly Payloads[]): DatasetColumn[] {
  const inputs = [...new Set(calls.flatMap((call) => namesIn(call.inputs)))]
  const parts = [...new Set(calls.flatMap((call) => namesIn(call.output)))]
  return [
    ...inputs.map((name) => ({ path: `inputs.${name}`, name: name === 'output' ? 'inputs.output' : name })),
    { path: 'output', name: 'output' },
    ...parts.map((name) => ({ path: `output.${name}`, name: '' })),
  ]
}

const namesIn = (value: unknown) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [])

/** The name that two columns would have; undefined when each has its own. */
export function repeatedName(columns: readonly DatasetColumn[]): string | undefined {
  const names = columns.map(({ name }) => name.trim()).filter((name) => name !== '')
  return names.find((name, at) => names.indexOf(name) !== at)
}

/** A call as a row of a dataset. Fields that the call does not have are left out. */
export function rowOfCall(call: Payloads, columns: readonly DatasetColumn[]): Record<string, unknown> {
  const cells = columns
    .map(({ path, name }) => [name.trim(), valueAt(call, path)] as const)
    .filter(([name, value]) => name !== '' && value !== undefined)
  return Object.fromEntries(cells)
}
