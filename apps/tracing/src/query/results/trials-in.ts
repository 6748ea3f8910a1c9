import { bind, join, sql, type Sql } from '@heddle/datastore'
import { seen } from '../calls-query.ts'
import type { Visibility } from '../visible-records.ts'

/** The predict-and-score calls of some evaluations of a project, as a reader sees them now. */
export interface TrialsIn {
  project_id: string
  visibility: Visibility
  /** Root calls of evaluations, each once. */
  evaluations: readonly string[]
}

/** A `FROM` with its `WHERE`, over the latest versions of trials. */
export function trialsFrom({ project_id, visibility, evaluations }: TrialsIn): Sql {
  return sql`FROM heddle.calls FINAL WHERE ${join(seen(project_id, visibility), sql` AND `)} AND ${isTrialOf(evaluations)}`
}

/** A `FROM` with its `WHERE`, over all versions of trials, and so of more calls than are trials now: cheaper where that does not matter. */
export function versionsOfTrials({ project_id, evaluations }: Omit<TrialsIn, 'visibility'>): Sql {
  return sql`FROM heddle.calls WHERE project_id = ${bind('String', project_id)} AND ${isTrialOf(evaluations)}`
}

/** The column is empty if a call is not a trial, and no id is empty. */
function isTrialOf(evaluations: readonly string[]): Sql {
  const ids = possible(evaluations).filter((id) => id !== '')
  return sql`trial_of IN ${bind('Array(String)', ids)}`
}

/** Index of the evaluation of a trial in the list, from 0. */
export function placeOf({ evaluations }: TrialsIn): Sql {
  const known = possible(evaluations)
  const places = known.map((id) => evaluations.indexOf(id))
  return sql`transform(trial_of, ${bind('Array(String)', known)}, ${bind('Array(Int64)', places)}, toInt64(-1))`
}

/** Row of the answer to `trialsOfRows`. */
export interface RowTrial {
  row_digest: string
  /** Index of the evaluation. */
  place: string
  started_micros: number
  id: string
  /** 64-bit integer as text. */
  version: string
  /** Bytes of the payloads. */
  bytes: number
}

/** A row, when its trials have started, in microseconds, and how many bytes their payloads have together. */
export interface RowStarts {
  row_digest: string
  starts: readonly number[]
  bytes: number
}

/** Starts that a statement names: it may have 16 MiB. */
const maxStarts = 200_000

/** The trials of some rows. */
export function trialsOfRows(trials: TrialsIn, rows: readonly RowStarts[]): Sql {
  return sql`SELECT ${keyOf(trials)} ${trialsFrom(trials)} AND ${isOfRows(rows)}`
}

/** Row of the answer to `plainTrialsOfRows`. */
export interface PlainRowTrial extends RowTrial {
  /** Null while it runs. */
  ended_micros: number | null
  /** As text. `''` where an older version wrote the call. */
  eval_marks: string
  total_tokens: number | null
  /** Its attributes or its summary may name spans. */
  may_name_spans: boolean
  inputs: string
  output: string
}

/** The trials of some rows, with their inputs and outputs. */
export function plainTrialsOfRows(trials: TrialsIn, rows: readonly RowStarts[]): Sql {
  return sql`SELECT ${keyOf(trials)}, toFloat64(toUnixTimestamp64Micro(ended_at)) AS ended_micros, eval_marks, toFloat64(total_tokens) AS total_tokens,
    may_name_spans::Bool AS may_name_spans, inputs, output ${trialsFrom(trials)} AND ${isOfRows(rows)}`
}

/**
 * The ids of calls that started when some trials did, and are or were trials too, each once. Rows are not compared, which would cost as much as
 * everything else.
 */
export function idsOfTrials(trials: TrialsIn, rows: readonly RowStarts[], limit: number): Sql {
  return sql`SELECT DISTINCT id ${versionsOfTrials(trials)} AND started_at IN (${startsIn(startsOf(rows))}) LIMIT ${bind('UInt64', limit)}`
}

function keyOf(trials: TrialsIn): Sql {
  return sql`trial_row AS row_digest, ${placeOf(trials)} AS place, ${startedMicros} AS started_micros, id, version, toFloat64(storage_size_bytes) AS bytes`
}

function isOfRows(rows: readonly RowStarts[]): Sql {
  const starts = startsOf(rows)
  // So many are all over the table anyway.
  const isStarted = starts.length > maxStarts ? sql`` : sql`started_at IN (${startsIn(starts)}) AND `
  const digests = rows.map(({ row_digest }) => row_digest)
  return sql`${isStarted}trial_row IN ${bind('Array(String)', digests)}`
}

function startsOf(rows: readonly RowStarts[]): number[] {
  return [...new Set(rows.flatMap((row) => row.starts))]
}

/** A statement that answers some starts: the engine then looks only where calls of these starts are. */
export function startsIn(micros: readonly number[]): Sql {
  return sql`SELECT fromUnixTimestamp64Micro(arrayJoin(${bind('Array(Int64)', micros)}))`
}

/** Start of a trial as it is answered. */
export const startedMicros: Sql = sql`toFloat64(toUnixTimestamp64Micro(started_at))`

/** Texts that the store can hold: one with NUL in it would be refused, together with all others of the statement. */
export function possible(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => !text.includes('\0'))
}
