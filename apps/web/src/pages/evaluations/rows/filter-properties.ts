import type { EvaluationRun } from '@heddle/evaluations'
import type { RangeSearch } from './kept-ranges.ts'
import type { RunFilter } from '../../../features/evaluations/run-filters.ts'

/** Search parameters of an expression that rows must match. */
export interface ExpressionSearch {
  filter?: string | undefined
  filterIn?: string | undefined
  filters?: RunFilter[] | undefined
}

export interface FilterProperties {
  search: RangeSearch & ExpressionSearch
  /** The measure by which rows are chosen; empty without any. */
  name: string
  runs: readonly EvaluationRun[]
  labels: readonly string[]
  /** Undefined where rows are not read by an expression. */
  onExpression?: (changed: ExpressionSearch) => void
  onRange: (changed: RangeSearch) => void
}
