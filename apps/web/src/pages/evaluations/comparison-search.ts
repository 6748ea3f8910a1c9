import { axesParams } from '../../features/parallel-coordinates/axes-search.ts'
import { searchOf, text, word } from '../../lib/search.ts'
import { classParams } from './classes/class-choice.ts'
import { splitParams } from './splits/row-splits.ts'
import { outputViews, type RowChoice, rowChoices, rowOrders } from './rows/row-choices.ts'
import { rowSets } from './row-set.ts'
import { rangeParams } from './rows/kept-ranges.ts'
import { readRunFilters } from '../../features/evaluations/run-filters.ts'

/** Search parameters of a comparison. */
export const comparisonSearch = searchOf({
  /** Ids of the runs, with commas between them. */
  ids: text,
  /** Id of the run that all other runs are compared with. Default: the first. */
  baseline: text,
  /** Id of the run whose differences from the baseline are drawn. Default: the one after it. */
  candidate: text,
  /** Name of the measure by which rows are chosen and ordered. Default: the first. */
  measure: text,
  rows: word(...rowChoices),
  /** The rows that the metrics cover. Default: all. */
  means: word(...rowSets),
  order: word(...rowOrders),
  /** Which measures have a column in each run. Default: all. */
  columns: word('all', 'one'),
  /** Digest of the row that is shown whole. */
  row: text,
  /** How the outputs of that row are shown. Default: whole. */
  outputs: word(...outputViews),
  /** What rows must be, as text. */
  filter: text,
  /** Id of the run whose trials the filter is about. Default: any. */
  filterIn: text,
  /** Further conditions, each on the trials of a run, that must hold as well. */
  filters: readRunFilters,
  ...rangeParams,
  ...classParams,
  ...splitParams,
})
export type ComparisonSearch = ReturnType<typeof comparisonSearch>

/** Parts of the page of evaluations. The first is that of runs. */
export const evaluationTabs = ['definitions', 'scorers'] as const
export const runStatuses = ['completed', 'running', 'failed'] as const
const maxColumns = 100

/** Search parameters of the list of runs. */
export const runsSearch = searchOf({
  /** Default: runs. */
  tab: word(...evaluationTabs),
  /** Ids of the runs that are chosen for a comparison, with commas between them. */
  chosen: text,
  /** A part of the name of a run, or of its model. */
  find: text,
  /** Name of the evaluation whose runs are listed. Default: any. */
  evaluation: text,
  status: word(...runStatuses),
  /** Name of the score that is drawn over the runs. Default: the first. */
  score: text,
  /** Ids of the columns that are shown. Default: the usual ones. */
  columns: columnsIn,
  /** The form that is open. */
  form: word('new'),
  ...axesParams,
})
export type RunsSearch = ReturnType<typeof runsSearch>

function columnsIn(value: unknown): string[] | undefined {
  const ids = (Array.isArray(value) ? value : []).filter((id): id is string => typeof id === 'string').slice(0, maxColumns)
  return ids.length === 0 ? undefined : ids
}

/** Search parameters of one run. */
export const runSearch = searchOf({
  /** Digest of the row that is shown whole. */
  row: text,
  /** Name of the measure whose distribution is shown. Default: the first. */
  measure: text,
  rows: word<RowChoice>('errors'),
  ...rangeParams,
  ...classParams,
  ...splitParams,
})
export type RunSearch = ReturnType<typeof runSearch>
