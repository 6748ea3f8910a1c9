import type { EvalResultsFilter } from '@heddle/core-api/types'
import { parseFilter, toFilterOperation } from '../filter/parse-filter.ts'
import { FilterProblem } from '../filter/read-tokens.ts'
import type { RunFilter } from './run-filters.ts'

/** Conditions of rows as the API has them. */
export interface RowsCondition {
  filters: EvalResultsFilter[]
  filter_logic_operator: 'and' | 'or'
}

/** A filter of rows as the API has it, or why its text cannot be read. */
export interface RowsFilter {
  condition: RowsCondition | undefined
  problem: string | undefined
}

interface WrittenFilter {
  text: string | undefined
  /** Id of the run whose trials it is about. Undefined: any. */
  run: string | undefined
  /** All of them must hold as well. */
  further?: readonly RunFilter[] | undefined
}

const none: RowsFilter = { condition: undefined, problem: undefined }

/**
 * Reads a filter such as `scores.exact.match = false and outputs contains "sorry"`, about the trials of one run, or of any of those compared. Further
 * filters are each about one run. Filters of runs that are not compared are ignored.
 */
export function readRowsFilter({ text, run, further = [] }: WrittenFilter, runs: readonly string[]): RowsFilter {
  const isGiven = text !== undefined && text.trim() !== ''
  const known = further.filter(({ in: id }) => runs.includes(id))
  const isOfRun = run !== undefined && runs.includes(run)
  if (!isGiven && known.length === 0) return none
  if (isGiven && !isOfRun && known.length > 0) return { ...none, problem: 'with conditions on several runs, each needs its run' }
  try {
    if (known.length === 0)
      return { ...none, condition: { filters: conditionsOf(text ?? '', isOfRun ? [run] : runs), filter_logic_operator: 'or' } }
    const first = isGiven && run !== undefined ? conditionsOf(text, [run]) : []
    const others = known.flatMap(({ in: id, filter }) => conditionsOf(filter, [id]))
    return { ...none, condition: { filters: [...first, ...others], filter_logic_operator: 'and' } }
  } catch (error) {
    if (!(error instanceof FilterProblem)) throw error
    return { ...none, problem: `${error.message} (at character ${error.at + 1})` }
  }
}

/** The same condition for each of the runs. */
function conditionsOf(text: string, runs: readonly string[]): EvalResultsFilter[] {
  const query = { $expr: toFilterOperation(parseFilter(text)) }
  return runs.map((evaluation_call_id) => ({ evaluation_call_id, query }))
}
