import { sql, type Sql } from '@heddle/datastore'
import { feedbackNotHidden, type HiddenRecords, notHidden } from './visible-records.ts'

/** Type of a column in a Parquet file; `null` is possible where the name ends with a question mark. */
export type ParquetType = 'string' | 'string?' | 'int64' | 'int64?' | 'double?' | 'timestamp' | 'timestamp?' | 'strings'

export interface ParquetColumn {
  name: string
  type: ParquetType
  /** For the documentation. */
  about: string
  /** What is selected, under the name. */
  select: Sql
}

/** A table that is exported: one row per record that a reader of the API sees. */
export interface ParquetTable {
  name: 'calls' | 'usage' | 'feedback' | 'eval_results'
  about: string
  source: Sql
  /** Files are by its day in UTC. */
  time: Sql
  /** What identifies a version of a row: another hash over all of a day means that its file is written again. */
  version: Sql
  /** About how many bytes a row has. */
  size: Sql
  visible: (projectId: string, hidden: HiddenRecords) => readonly Sql[]
  columns: readonly ParquetColumn[]
}

const lived = sql`has_start = 1`

const callColumns: readonly ParquetColumn[] = [
  { name: 'id', type: 'string', about: 'id of the call', select: sql`id` },
  { name: 'trace_id', type: 'string', about: 'trace to which it belongs', select: sql`trace_id` },
  { name: 'parent_id', type: 'string?', about: 'call that started it', select: sql`nullIf(parent_id, '') AS parent_id` },
  { name: 'thread_id', type: 'string?', about: 'thread that it names', select: sql`thread_id` },
  { name: 'op_name', type: 'string', about: 'name of its op', select: sql`op_short_name AS op_name` },
  { name: 'display_name', type: 'string?', about: 'name that a user gave', select: sql`nullIf(display_name, '') AS display_name` },
  { name: 'started_at', type: 'timestamp', about: 'start, in microseconds of UTC', select: sql`started_at` },
  { name: 'ended_at', type: 'timestamp?', about: 'end; null while it runs', select: sql`ended_at` },
  { name: 'status', type: 'string', about: '`success`, `error`, `running` or `descendant_error`', select: sql`status` },
  { name: 'exception', type: 'string?', about: 'message of its error', select: sql`exception` },
  { name: 'inputs', type: 'string', about: 'inputs, as JSON', select: sql`inputs` },
  { name: 'output', type: 'string', about: 'output, as JSON', select: sql`output` },
  { name: 'attributes', type: 'string', about: 'attributes, as JSON', select: sql`attributes` },
  { name: 'summary', type: 'string', about: 'summary with the usage that the call itself reports, as JSON', select: sql`summary` },
  { name: 'total_tokens', type: 'int64?', about: 'tokens over all models in its summary', select: sql`total_tokens` },
  { name: 'wb_user_id', type: 'string', about: 'user whose key sent it', select: sql`wb_user_id` },
  { name: 'wb_run_id', type: 'string?', about: 'training run', select: sql`nullIf(wb_run_id, '') AS wb_run_id` },
]

/** The tables of the export, once: statements and documentation follow from them. */
export const parquetTables: readonly ParquetTable[] = [
  {
    name: 'calls',
    about: 'calls, also those of evaluations',
    source: sql`heddle.calls FINAL`,
    time: sql`started_at`,
    version: sql`id, version`,
    size: sql`storage_size_bytes`,
    visible: (projectId, hidden) => [lived, ...notHidden(projectId, hidden)],
    columns: callColumns,
  },
  {
    name: 'usage',
    about: 'usage that counts: one row per call and model, without what calls below report again',
    source: sql`heddle.usage FINAL`,
    time: sql`started_at`,
    version: sql`call_id, model, version`,
    size: sql`200`,
    visible: (projectId, hidden) => notHidden(projectId, hidden, sql`call_id`),
    columns: [
      { name: 'call_id', type: 'string', about: 'call that used the model', select: sql`call_id` },
      { name: 'trace_id', type: 'string', about: 'its trace', select: sql`trace_id` },
      { name: 'thread_id', type: 'string?', about: 'thread of the trace', select: sql`nullIf(thread_id, '') AS thread_id` },
      { name: 'started_at', type: 'timestamp', about: 'start of the call', select: sql`started_at` },
      { name: 'model', type: 'string', about: 'model, as the call names it', select: sql`model` },
      { name: 'input_tokens', type: 'int64?', about: 'tokens of the input, cached ones included', select: sql`input_tokens` },
      { name: 'output_tokens', type: 'int64?', about: 'tokens of the output, reasoning included', select: sql`output_tokens` },
      { name: 'cache_read_tokens', type: 'int64?', about: 'those read from a cache', select: sql`cache_read_tokens` },
      { name: 'cache_write_tokens', type: 'int64?', about: 'those written to a cache', select: sql`cache_write_tokens` },
      { name: 'reasoning_tokens', type: 'int64?', about: 'those of reasoning', select: sql`reasoning_tokens` },
      { name: 'total_tokens', type: 'int64?', about: 'all tokens', select: sql`total_tokens` },
      {
        name: 'reported_cost',
        type: 'double?',
        about: 'US dollars that the call itself reports; null if it reports none',
        select: sql`if(reported_costs > 0, reported_nanos / 1e9, NULL) AS reported_cost`,
      },
      {
        name: 'service_tier',
        type: 'string?',
        about: 'service tier; null for the plain one',
        select: sql`nullIf(service_tier, '') AS service_tier`,
      },
    ],
  },
  {
    name: 'feedback',
    about: 'feedback: notes, reactions, annotations and scores',
    source: sql`heddle.feedback FINAL`,
    time: sql`created_at`,
    version: sql`id, version`,
    size: sql`length(payload) + 500`,
    visible: feedbackNotHidden,
    columns: [
      { name: 'id', type: 'string', about: 'id of the feedback', select: sql`id` },
      { name: 'weave_ref', type: 'string', about: 'reference to its subject', select: sql`weave_ref` },
      {
        name: 'call_id',
        type: 'string?',
        about: 'call that it is about; null if it is about something else',
        select: sql`nullIf(extract(weave_ref, '^weave:///[^/]+/[^/]+/call/([^/]+)$'), '') AS call_id`,
      },
      { name: 'feedback_type', type: 'string', about: 'type, such as `wandb.annotation.quality`', select: sql`feedback_type` },
      { name: 'payload', type: 'string', about: 'payload, as JSON', select: sql`payload` },
      { name: 'creator', type: 'string?', about: 'display name of who gave it', select: sql`creator` },
      { name: 'wb_user_id', type: 'string', about: 'user whose key sent it', select: sql`wb_user_id` },
      { name: 'created_at', type: 'timestamp', about: 'when it was stored first', select: sql`created_at` },
      { name: 'runnable_ref', type: 'string?', about: 'op or object that made it', select: sql`nullIf(runnable_ref, '') AS runnable_ref` },
      { name: 'annotation_ref', type: 'string?', about: 'annotation spec', select: sql`nullIf(annotation_ref, '') AS annotation_ref` },
      { name: 'scorer_tags', type: 'strings', about: 'tags that a scorer gave', select: sql`scorer_tags` },
    ],
  },
  {
    name: 'eval_results',
    about: 'trials of evaluations: one row per example and attempt, with the scores that the trial recorded',
    source: sql`heddle.calls FINAL`,
    time: sql`started_at`,
    version: sql`id, version`,
    size: sql`storage_size_bytes`,
    visible: (projectId, hidden) => [lived, sql`trial_row != ''`, ...notHidden(projectId, hidden)],
    columns: [
      { name: 'trial_id', type: 'string', about: 'id of the call that predicted and scored', select: sql`id AS trial_id` },
      { name: 'evaluation_call_id', type: 'string?', about: 'call of the evaluation', select: sql`nullIf(parent_id, '') AS parent_id` },
      { name: 'trace_id', type: 'string', about: 'its trace', select: sql`trace_id` },
      { name: 'row_digest', type: 'string', about: 'digest of the row of the dataset', select: sql`trial_row AS row_digest` },
      { name: 'started_at', type: 'timestamp', about: 'start of the trial', select: sql`started_at` },
      { name: 'ended_at', type: 'timestamp?', about: 'end; null while it runs', select: sql`ended_at` },
      { name: 'status', type: 'string', about: 'as that of a call', select: sql`status` },
      { name: 'inputs', type: 'string', about: 'example and model, as JSON', select: sql`inputs` },
      {
        name: 'model_output',
        type: 'string?',
        about: 'what the model returned, as JSON',
        select: sql`nullIf(JSONExtractRaw(output, 'output'), '') AS model_output`,
      },
      {
        name: 'scores',
        type: 'string?',
        about: 'scores by scorer, as JSON',
        select: sql`nullIf(JSONExtractRaw(output, 'scores'), '') AS scores`,
      },
      { name: 'total_tokens', type: 'int64?', about: 'tokens over all models in its summary', select: sql`total_tokens` },
    ],
  },
]
