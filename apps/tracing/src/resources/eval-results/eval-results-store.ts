import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ResultField } from '../../query/fields/result-field.ts'

/** A predict-and-score call with the row that it is about. */
export interface StoredExample {
  id: string
  evaluation_call_id: string
  started_micros: number
  /** 64-bit integer as text. */
  version: string
  /** Bytes of the payloads. */
  bytes: number
  /** The example where it is a plain text, such as a reference; else null. */
  text: string | null
  /** JSON text of the inputs, among them the example; `''` where `text` is given. */
  all_inputs: string
  /** When a reader stops seeing the call, in microseconds; 0 = never. */
  expire_micros: number
}

/** What a summary takes from a predict-and-score call itself, as JSON texts; `''` where there is nothing. */
export interface StoredScores {
  id: string
  scores: string
  /** `inputs.model`. */
  model: string
  /** `attributes.weave.predict_call_id`. */
  predict_call_id: string
  /** Token counts by model. */
  token_counts: string
}

/** The calls below one predict-and-score call in short. */
export interface StoredFamily {
  parent_id: string
  /** Equal for families that differ in nothing but ids, times, tokens and what was returned. */
  signature: string
  /** JSON text of the token counts of each call, by start and then id. */
  token_counts: string[]
}

/** A value of a predict-and-score call. */
export interface StoredValue {
  id: string
  /** JSON text; `''` where there is none. */
  json: string
}

/** A call below a predict-and-score call. What is not there is `''`. */
export interface StoredChild {
  id: string
  parent_id: string
  op_name: string
  op_short_name: string
  started_micros: number
  /** Null while it runs. */
  ended_micros: number | null
  failed: boolean
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

/** What results of evaluations are made of: predict-and-score calls, and the calls above and below them. Order is that of the store, unless stated. */
export interface EvalResultsStore {
  /** All predict-and-score calls of evaluations. */
  examples(project: ProjectScope, evaluations: readonly string[]): AsyncIterable<StoredExample[]>
  scores(project: ProjectScope, evaluations: readonly string[]): AsyncIterable<StoredScores[]>
  /** The calls below all predict-and-score calls of evaluations. */
  families(project: ProjectScope, evaluations: readonly string[]): AsyncIterable<StoredFamily[]>
  /** What a field of `scores`, `inputs`, `outputs` or `output` is in each predict-and-score call that has it. */
  values(project: ProjectScope, evaluations: readonly string[], field: ResultField): AsyncIterable<StoredValue[]>
  /** What stands at a path in rows of tables, as JSON text by digest: `''` where there is nothing. Rows that are not stored are left out. */
  rowValues(project: ProjectScope, digests: readonly string[], segments: readonly string[]): Promise<Map<string, string>>
  /** The calls below some predict-and-score calls, by start and then id. The caller bounds how many are asked for at once. */
  children(project: ProjectScope, parents: readonly string[]): Promise<StoredChild[]>
  /** Those of the calls that a reader sees. */
  roots(project: ProjectScope, ids: readonly string[]): Promise<StoredRoot[]>
}
