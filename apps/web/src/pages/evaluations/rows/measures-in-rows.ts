import type { ComparisonSearch } from '../comparison-search.ts'

/** Measures with a column in each of two runs, and of more runs: so many fit next to the outputs. */
const maxOfTwo = 2
const maxOfMore = 1

interface Options {
  /** The chosen measure. `''` if there is none. */
  name: string
  /** How many runs are compared. */
  runs: number
  columns: ComparisonSearch['columns']
}

/** The measures that have a column in each run, in their order: by default the chosen one, and others where there is room. */
export function measuresInRows(names: readonly string[], { name, runs, columns }: Options): readonly string[] {
  if (columns === 'all' || name === '') return names
  const most = columns === 'one' ? 1 : runs > 2 ? maxOfMore : maxOfTwo
  const others = names.filter((one) => one !== name).slice(0, most - 1)
  return names.filter((one) => one === name || others.includes(one))
}
