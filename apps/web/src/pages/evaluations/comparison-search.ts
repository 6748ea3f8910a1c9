import { axesSearch, type AxesSearch } from '../../features/parallel-coordinates/axes-search.ts'
import { numberOf, textOf, textOrBooleanOf, wholeOf, wordOf } from '../../lib/search.ts'
import type { ClassSearch } from './classes/class-choice.ts'
import type { SplitSearch } from './splits/row-splits.ts'
import { type OutputView, outputViews, type RowChoice, rowChoices, type RowOrder, rowOrders } from './rows/row-choices.ts'
import { type RowSet, rowSets } from './row-set.ts'
import { type RangeSearch, readKeptRanges } from './rows/kept-ranges.ts'
import { readRunFilters, type RunFilter } from '../../features/evaluations/run-filters.ts'

/** Search parameters of a comparison. */
export interface ComparisonSearch extends RangeSearch, ClassSearch, SplitSearch {
  /** Ids of the runs, with commas between them. */
  ids?: string | undefined
  /** Id of the run that all other runs are compared with. Default: the first. */
  baseline?: string | undefined
  /** Id of the run whose differences from the baseline are drawn. Default: the one after it. */
  candidate?: string | undefined
  /** Name of the measure by which rows are chosen and ordered. Default: the first. */
  measure?: string | undefined
  rows?: RowChoice | undefined
  /** The rows that the metrics cover. Default: all. */
  means?: RowSet
  order?: RowOrder | undefined
  /** Which measures have a column in each run. Default: all. */
  columns?: 'all' | 'one' | undefined
  /** Digest of the row that is shown whole. */
  row?: string | undefined
  /** How the outputs of that row are shown. Default: whole. */
  outputs?: OutputView | undefined
  /** What rows must be, as text. */
  filter?: string | undefined
  /** Id of the run whose trials the filter is about. Default: any. */
  filterIn?: string | undefined
  /** Further conditions, each on the trials of a run, that must hold as well. */
  filters?: RunFilter[] | undefined
}

export function comparisonSearch(search: Record<string, unknown>): ComparisonSearch {
  return {
    ids: textOf(search, 'ids'),
    baseline: textOf(search, 'baseline'),
    candidate: textOf(search, 'candidate'),
    measure: textOf(search, 'measure'),
    rows: wordOf(search, 'rows', rowChoices),
    means: wordOf(search, 'means', rowSets),
    order: wordOf(search, 'order', rowOrders),
    columns: wordOf(search, 'columns', ['all', 'one']),
    row: textOf(search, 'row'),
    outputs: wordOf(search, 'outputs', outputViews),
    filter: textOf(search, 'filter'),
    filterIn: textOf(search, 'filterIn'),
    filters: readRunFilters(search['filters']),
    ...rangeSearch(search),
    ...classSearch(search),
    ...splitSearch(search),
  }
}

const rangeSearch = (search: Record<string, unknown>): RangeSearch => ({
  from: numberOf(search, 'from'),
  to: numberOf(search, 'to'),
  against: textOf(search, 'against'),
  againstFrom: numberOf(search, 'againstFrom'),
  againstTo: numberOf(search, 'againstTo'),
  of: wholeOf(search, 'of'),
  ranges: readKeptRanges(search['ranges']),
})

const classSearch = (search: Record<string, unknown>): ClassSearch => ({
  score: textOf(search, 'score'),
  is: textOrBooleanOf(search, 'is'),
  isIn: wholeOf(search, 'isIn'),
})

const splitSearch = (search: Record<string, unknown>): SplitSearch => ({
  split: textOf(search, 'split'),
  part: textOrBooleanOf(search, 'part'),
})

/** Parts of the page of evaluations. The first is that of runs. */
export const evaluationTabs = ['definitions', 'scorers'] as const
export const runStatuses = ['completed', 'running', 'failed'] as const
const maxColumns = 100

/** Search parameters of the list of runs. */
export interface RunsSearch extends AxesSearch {
  /** Default: runs. */
  tab?: (typeof evaluationTabs)[number] | undefined
  /** Ids of the runs that are chosen for a comparison, with commas between them. */
  chosen?: string | undefined
  /** A part of the name of a run, or of its model. */
  find?: string | undefined
  /** Name of the evaluation whose runs are listed. Default: any. */
  evaluation?: string | undefined
  status?: (typeof runStatuses)[number] | undefined
  /** Name of the score that is drawn over the runs. Default: the first. */
  score?: string | undefined
  /** Ids of the columns that are shown. Default: the usual ones. */
  columns?: string[] | undefined
  /** The form that is open. */
  form?: 'new' | undefined
}

export const runsSearch = (search: Record<string, unknown>): RunsSearch => ({
  tab: wordOf(search, 'tab', evaluationTabs),
  chosen: textOf(search, 'chosen'),
  find: textOf(search, 'find'),
  evaluation: textOf(search, 'evaluation'),
  status: wordOf(search, 'status', runStatuses),
  score: textOf(search, 'score'),
  columns: columnsIn(search['columns']),
  form: wordOf(search, 'form', ['new']),
  ...axesSearch(search),
})

function columnsIn(value: unknown): string[] | undefined {
  const ids = (Array.isArray(value) ? value : []).filter((id): id is string => typeof id === 'string').slice(0, maxColumns)
  return ids.length === 0 ? undefined : ids
}

/** Search parameters of one run. */
export interface RunSearch extends RangeSearch, ClassSearch, SplitSearch {
  /** Digest of the row that is shown whole. */
  row?: string | undefined
  /** Name of the measure whose distribution is shown. Default: the first. */
  measure?: string | undefined
  rows?: RowChoice | undefined
}

export const runSearch = (search: Record<string, unknown>): RunSearch => ({
  row: textOf(search, 'row'),
  measure: textOf(search, 'measure'),
  rows: wordOf(search, 'rows', ['errors']),
  ...rangeSearch(search),
  ...classSearch(search),
  ...splitSearch(search),
})
