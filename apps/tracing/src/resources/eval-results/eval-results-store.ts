import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ResultsQuery, RowsPage } from '../../query/results/results-query.ts'
import type { TrialKey } from './rows/result-row.ts'
import type { PlainRowTrial, RowStarts, RowTrial } from '../../query/results/trials-in.ts'
import type { GroupedTrial, GroupUsage, TrialGroup } from '../../query/results/summary-query.ts'

/** A predict-and-score call, with the JSON text of its payloads. */
export interface StoredTrial {
  id: string
  started_micros: number
  /** Null while it runs. */
  ended_micros: number | null
  inputs: string
  output: string
  attributes: string
  summary: string
}

/** What columns tell of any call below a predict-and-score call. */
interface ChildColumns {
  id: string
  parent_id: string
  op_name: string
  op_short_name: string
  started_micros: number
  /** Null while it runs. */
  ended_micros: number | null
  failed: boolean
  /** Equal for calls that differ in nothing but id, times, tokens and what they returned. */
  kind: string
}

/** A call below a predict-and-score call, without its payloads. */
export interface StoredChildMarks extends ChildColumns {
  /** As text. `''` where an older version wrote the call: then its payloads must be read. */
  eval_marks: string
  total_tokens: number | null
  /** JSON text of the token counts by model, where it was asked for; else `''`. */
  usage: string
  /** The payloads may name spans. */
  may_name_spans: boolean
}

/** A call below a predict-and-score call. Missing fields are `''`. */
export interface StoredChild extends ChildColumns {
  /** JSON text of `inputs.self`. */
  self: string
  /** JSON text of the attributes under `weave`. */
  weave: string
  /** JSON text of the mark that loggers of evaluations give to scorers. */
  score_mark: string
  /** JSON text of the token counts by model. */
  usage: string
  /** JSON text of the spans that the summary names. */
  spans: string
  /** JSON text of the output, of calls that may be scorers; else `''`. */
  output: string
}

/** The root call of an evaluation. */
export interface StoredRoot {
  id: string
  trace_id: string
  display_name: string
  started_at: Micros
  /** JSON text of the inputs that name the evaluation and the model. */
  self: string
  this: string
  model: string
}

/** The rows of some evaluations that a query matches. */
export interface RowsInput extends ResultsQuery {
  /** Root calls of evaluations, each once. */
  evaluations: readonly string[]
  /** Only rows that all evaluations have. */
  isWhole: boolean
}

/** What a summary is made of. */
export interface SummaryInput extends RowsInput {
  /** Also of the calls below the trials. */
  children: boolean
}

/** What results of evaluations are made of: predict-and-score calls, and the calls above and below them. Order is that of the store, unless stated. */
export interface EvalResultsStore {
  /**
   * A page of rows in the order of the query, and how many rows there are on all pages.
   * @throws ApiError 400 or 422 for a query that cannot be; 413 for rows with more than 250,000 trials together
   */
  rows(project: ProjectScope, input: RowsInput, page: RowsPage): Promise<{ rows: RowStarts[]; total: number }>
  /** The trials of some rows. The caller bounds how many rows it names at once. */
  trialsOfRows(project: ProjectScope, evaluations: readonly string[], rows: readonly RowStarts[]): Promise<RowTrial[]>
  /** The same, with what the trials were given and returned. The caller bounds how many and how large they are. */
  plainTrialsOfRows(project: ProjectScope, evaluations: readonly string[], rows: readonly RowStarts[]): Promise<PlainRowTrial[]>
  /** The ids of calls among which are all trials of some rows, unless there are more than `limit`; in any order. The caller bounds the starts that it names. */
  idsOfTrials(
    project: ProjectScope,
    evaluations: readonly string[],
    { rows, limit }: { rows: readonly RowStarts[]; limit: number },
  ): Promise<string[]>
  countRows(project: ProjectScope, input: RowsInput): Promise<number>
  /** All trials of the rows, in groups of those that are alike. @throws ApiError 413 for too many groups */
  trialGroups(project: ProjectScope, input: SummaryInput): Promise<TrialGroup[]>
  /** The trials of some groups. */
  groupedTrials(project: ProjectScope, input: SummaryInput, names: readonly string[]): Promise<GroupedTrial[]>
  /** What the calls below the trials of all groups have used; `changes` are the times at which prices change, in their order. */
  groupUsage(project: ProjectScope, input: SummaryInput, changes: readonly Micros[]): Promise<GroupUsage[]>
  /** Whether any predict-and-score call of any project may lack the columns that older versions did not write. */
  mayHaveOlder(): Promise<boolean>
  /** Those of evaluations that lack them, in blocks of ids. */
  olderTrials(project: ProjectScope, evaluations: readonly string[]): AsyncIterable<string[]>
  /** Trials in the order of their keys. Those that vanished meanwhile are left out. The caller bounds how many are asked for at once. */
  trials(project: ProjectScope, keys: readonly TrialKey[]): Promise<StoredTrial[]>
  /** What columns tell of the calls below some predict-and-score calls, by start and then id. The caller bounds how many are asked for at once. */
  childMarks(project: ProjectScope, parents: readonly string[], also: { usage: boolean }): Promise<StoredChildMarks[]>
  /** The same calls with what their payloads tell. The caller bounds how many are asked for at once. */
  children(project: ProjectScope, parents: readonly string[]): Promise<StoredChild[]>
  /** Those of the calls that a reader sees. */
  roots(project: ProjectScope, ids: readonly string[]): Promise<StoredRoot[]>
}
