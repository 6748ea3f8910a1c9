import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { TreeCall } from '@heddle/trace-model'
import type { ModelUsage } from '../../query/model-usage.ts'
import type { ResultsQuery, RowsPage } from '../../query/results/results-query.ts'
import type { PricedCallColumns } from '../../records/calls/row/call-facts.ts'
import type { TrialKey } from './result-row.ts'
import type { PlainRowTrial, RowStarts, RowTrial } from '../../query/results/trials-in.ts'
import type { GroupedTrial, GroupUsage, SpecialCall, SpecialUsage, TrialGroup } from '../../query/results/summary-query.ts'

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

/** Column values of any call below a predict-and-score call; also those that determine prices, if usage was requested. */
interface ChildColumns extends Partial<PricedCallColumns> {
  id: string
  parent_id: string
  op_name: string
  op_short_name: string
  started_micros: number
  /** Null while it runs. */
  ended_micros: number | null
  failed: boolean
  /** Equal for calls that differ only in id, times, tokens and output. */
  kind: string
}

/** A call below a predict-and-score call, without its payloads. */
export interface StoredChildMarks extends ChildColumns {
  /** As text. `''` where an older version wrote the call: then its payloads must be read. */
  eval_marks: string
  total_tokens: number | null
  /** JSON text of the token counts by model, if requested; else `''`. */
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

/** JSON texts of the spans that the attributes and the summary of a call name; `''` where they name none. */
export interface StoredSpans {
  id: string
  in_attributes: string
  in_summary: string
}

/** What counts of one call. */
export interface CallUsage {
  call_id: string
  /** Input and output tokens, or a call's reported total. */
  tokens: number
  usage: ModelUsage[]
}

/** The calls of some traces, and the usage of each that counts. */
export interface TraceUsage {
  calls: (TreeCall & { may_name_spans: boolean })[]
  usage: CallUsage[]
}

/** The rows of some evaluations that a query matches. */
export interface RowsInput extends ResultsQuery {
  /** Root calls of evaluations, each once. */
  evaluations: readonly string[]
  /** Only rows that all evaluations have. */
  isWhole: boolean
}

/** Input of a summary. */
export interface SummaryInput extends RowsInput {
  /** Also of the calls below the trials. */
  children: boolean
}

/** Sources of evaluation results: predict-and-score calls, and the calls above and below them. Order is that of the store, unless stated. */
export interface EvalResultsStore {
  /**
   * A page of rows in the order of the query, and how many rows there are on all pages.
   * @throws ApiError 400 or 422 for a query that cannot be; 413 for rows with more than 250,000 trials together
   */
  rows(project: ProjectScope, input: RowsInput, page: RowsPage): Promise<{ rows: RowStarts[]; total: number }>
  /** The trials of some rows. The caller bounds how many rows it names together. */
  trialsOfRows(project: ProjectScope, evaluations: readonly string[], rows: readonly RowStarts[]): Promise<RowTrial[]>
  /** The same, with inputs and outputs of the trials. The caller bounds their number and size. */
  plainTrialsOfRows(project: ProjectScope, evaluations: readonly string[], rows: readonly RowStarts[]): Promise<PlainRowTrial[]>
  /** The ids of calls among which are all trials of some rows, unless there are more than `limit`; in any order. The caller bounds the starts that it names. */
  idsOfTrials(
    project: ProjectScope,
    evaluations: readonly string[],
    { rows, limit }: { rows: readonly RowStarts[]; limit: number },
  ): Promise<string[]>
  countRows(project: ProjectScope, input: RowsInput): Promise<number>
  /** All trials of the rows, in groups of equal ones. @throws ApiError 413 for too many groups */
  trialGroups(project: ProjectScope, input: SummaryInput): Promise<TrialGroup[]>
  /** The trials of some groups. */
  groupedTrials(project: ProjectScope, input: SummaryInput, names: readonly string[]): Promise<GroupedTrial[]>
  /** Usage of the calls below the trials of all groups; `changes` are the times at which prices change, ascending. `special`: calls to exclude. */
  groupUsage(project: ProjectScope, input: SummaryInput, changes: readonly Micros[], special: SpecialUsage | null): Promise<GroupUsage[]>
  /** The calls below the trials of all groups whose prices may differ from those of the sums, which exclude them; in blocks. */
  specialCalls(project: ProjectScope, input: SummaryInput, special: SpecialUsage): AsyncIterable<SpecialCall[]>
  /** Whether any predict-and-score call of any project may lack the columns that older versions did not write. */
  mayHaveOlder(): Promise<boolean>
  /** Trials of evaluations that lack the columns, in blocks of ids. */
  olderTrials(project: ProjectScope, evaluations: readonly string[]): AsyncIterable<string[]>
  /** Trials in the order of their keys. Trials that vanished meanwhile are omitted. The caller bounds how many are requested together. */
  trials(project: ProjectScope, keys: readonly TrialKey[]): Promise<StoredTrial[]>
  /** Column values of the calls below some predict-and-score calls, by start and then id. The caller bounds how many are requested together. */
  childMarks(project: ProjectScope, parents: readonly string[], also: { usage: boolean }): Promise<StoredChildMarks[]>
  /** The same calls with values from their payloads. The caller bounds how many are requested together. */
  children(project: ProjectScope, parents: readonly string[]): Promise<StoredChild[]>
  /** What counts in some traces; undefined where they together have more calls than `maxCalls`. The caller bounds how many are requested together. */
  traceUsage(project: ProjectScope, traceIds: readonly string[], maxCalls: number): Promise<TraceUsage | undefined>
  /** The calls of a trace that may name spans, in blocks. The caller bounds how many calls the trace has. */
  namedSpans(project: ProjectScope, traceId: string): AsyncIterable<StoredSpans[]>
  /** The calls that a reader sees. */
  roots(project: ProjectScope, ids: readonly string[]): Promise<StoredRoot[]>
}
