import type { EvalResultsFilter } from '@heddle/core-api'
import { textOf } from '../../../app/search.ts'
import { parseFilter, toFilterOperation } from '../../calls/filter/parse-filter.ts'
import { FilterProblem } from '../../calls/filter/read-tokens.ts'

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

/** A condition on the trials of one run. */
export interface RunFilter {
  /** Id of the run. */
  in: string
  filter: string
}

/** Conditions beside the first, of which each is about a run of its own. */
export const maxRunFilters = 7

interface WrittenFilter {
  text: string | undefined
  /** Id of the run whose trials it is about. Undefined: any. */
  run: string | undefined
  /** All of them must hold as well. */
  further?: readonly RunFilter[] | undefined
}

const none: RowsFilter = { condition: undefined, problem: undefined }

/**
 * Reads a filter such as `scores.exact.match = false and outputs contains "sorry"`, about the trials of one run, or of any of those compared.
 * With further ones each is about a run. Those of runs that are not compared do not count.
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

/** Reads further conditions of an address; one without a run or a text is left out. Undefined where none is left. */
export function readRunFilters(value: unknown): RunFilter[] | undefined {
  const filters = (Array.isArray(value) ? value : []).slice(0, maxRunFilters).flatMap((one: unknown): RunFilter[] => {
    const given = Object(one) as Record<string, unknown>
    const [run, filter] = [textOf(given, 'in'), textOf(given, 'filter')]
    return run === undefined || filter === undefined ? [] : [{ in: run, filter }]
  })
  return filters.length > 0 ? filters : undefined
}
