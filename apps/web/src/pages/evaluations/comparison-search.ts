import { axesSearch, type AxesSearch } from '../../components/parallel-coordinates/axes-search.ts'
import { numberOf, textOf, textOrBooleanOf, wholeOf, wordOf } from '../../app/search.ts'
import type { ClassSearch } from './classes/class-choice.ts'
import type { SplitSearch } from './splits/row-splits.ts'
import { type OutputView, outputViews, type RowChoice, rowChoices, type RowOrder, rowOrders } from './rows/row-choices.ts'
import { type RowSet, rowSets } from './row-set.ts'
import { readRunFilters, type RunFilter } from './rows/rows-filter.ts'
import { type RangeSearch, readKeptRanges } from './rows/score-range.ts'

/** What the address of a comparison says. */
export interface ComparisonSearch extends RangeSearch, ClassSearch, SplitSearch {
  /** Ids of the runs, with commas between them. */
  ids?: string | undefined
  /** Id of the run that the others are compared with. Default: the first. */
  baseline?: string | undefined
  /** Name of the measure by which rows are chosen and ordered. Default: the first. */
  measure?: string | undefined
  rows?: RowChoice | undefined
  /** Of which rows the figures are. Default: all. */
  means?: RowSet
  order?: RowOrder | undefined
  /** Which measures have a column in each run. Default: all. */
  columns?: 'one' | undefined
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
    measure: textOf(search, 'measure'),
    rows: wordOf(search, 'rows', rowChoices),
    means: wordOf(search, 'means', rowSets),
    order: wordOf(search, 'order', rowOrders),
    columns: wordOf(search, 'columns', ['one']),
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

/** What the address of the list of runs says. */
export interface RunsSearch extends AxesSearch {
  /** Ids of the runs that are chosen for a comparison, with commas between them. */
  chosen?: string | undefined
}

export const runsSearch = (search: Record<string, unknown>): RunsSearch => ({ chosen: textOf(search, 'chosen'), ...axesSearch(search) })

/** What the address of one run says. */
export interface RunSearch extends RangeSearch, ClassSearch, SplitSearch {
  /** Digest of the row that is shown whole. */
  row?: string | undefined
  /** Name of the measure whose distribution is shown. Default: the first. */
  measure?: string | undefined
}

export const runSearch = (search: Record<string, unknown>): RunSearch => ({
  row: textOf(search, 'row'),
  measure: textOf(search, 'measure'),
  ...rangeSearch(search),
  ...classSearch(search),
  ...splitSearch(search),
})
