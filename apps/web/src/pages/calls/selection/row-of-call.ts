import type { Call } from '@heddle/core-api'

/** A call as a row of a dataset: a column for each of its inputs, and `output`. An input of that name stays, as `inputs.output`. */
export function rowOfCall({ inputs, output }: Pick<Call, 'inputs' | 'output'>): Record<string, unknown> {
  const { output: input, ...columns } = inputs as Record<string, unknown>
  return { ...columns, ...(input !== undefined && { 'inputs.output': input }), output }
}
