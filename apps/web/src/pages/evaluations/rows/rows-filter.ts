import type { EvalResultsFilter } from '@heddle/core-api'
import { parseFilter, toFilterOperation } from '../../calls/filter/parse-filter.ts'
import { FilterProblem } from '../../calls/filter/read-tokens.ts'

/** A filter of rows as the API has it, or why its text cannot be read. */
export interface RowsFilter {
  /** A condition for each run whose trials it may hold for: one of them is enough. */
  filters: EvalResultsFilter[] | undefined
  problem: string | undefined
}

/** Reads a filter such as `scores.exact.match = false and outputs contains "sorry"`, about the trials of one run, or of any of those compared. */
export function readRowsFilter(text: string | undefined, runs: readonly string[]): RowsFilter {
  if (text === undefined || text.trim() === '') return { filters: undefined, problem: undefined }
  try {
    const query = { $expr: toFilterOperation(parseFilter(text)) }
    return { filters: runs.map((evaluation_call_id) => ({ evaluation_call_id, query })), problem: undefined }
  } catch (error) {
    if (!(error instanceof FilterProblem)) throw error
    return { filters: undefined, problem: `${error.message} (at character ${error.at + 1})` }
  }
}
