import { bind, join, sql, type Micros, type Sql } from '@heddle/datastore'
import { seen } from '../calls-query.ts'

/** The predict-and-score calls of some evaluations of a project, as a reader sees them now. */
export interface TrialsIn {
  project_id: string
  now: Micros
  /** Root calls of evaluations, each once. */
  evaluations: readonly string[]
}

/** A `FROM` with its `WHERE`, over the latest versions of trials. */
export function trialsFrom({ project_id, now, evaluations }: TrialsIn): Sql {
  const parents = bind('Array(String)', possible(evaluations))
  return sql`FROM heddle.calls FINAL WHERE ${join(seen({ project_id, now }), sql` AND `)} AND parent_id IN ${parents} AND trial_row != ''`
}

/** A `FROM` with its `WHERE`, over all versions of trials, and so of more calls than are trials now: cheaper where that does not matter. */
export function versionsOfTrials({ project_id, evaluations }: Omit<TrialsIn, 'now'>): Sql {
  const parents = bind('Array(String)', possible(evaluations))
  return sql`FROM heddle.calls WHERE project_id = ${bind('String', project_id)} AND parent_id IN ${parents} AND trial_row != ''`
}

/** Place of the evaluation of a trial in the list, from 0. */
export function placeOf({ evaluations }: TrialsIn): Sql {
  const known = possible(evaluations)
  const places = known.map((id) => evaluations.indexOf(id))
  return sql`transform(parent_id, ${bind('Array(String)', known)}, ${bind('Array(Int64)', places)}, toInt64(-1))`
}

/** Row of the answer to `trialsOfRows`. */
export interface RowTrial {
  row_digest: string
  /** Place of the evaluation. */
  place: string
  started_micros: number
  id: string
  /** 64-bit integer as text. */
  version: string
  /** Bytes of the payloads. */
  bytes: number
}

/** The trials of some rows. Which these are is looked up first among all versions, in one column that most calls leave empty. */
export function trialsOfRows(trials: TrialsIn, digests: readonly string[]): Sql {
  const project = bind('String', trials.project_id)
  const some = bind('Array(String)', digests)
  const keys = sql`SELECT started_at, id FROM heddle.calls WHERE project_id = ${project} AND trial_row IN ${some}`
  return sql`SELECT trial_row AS row_digest, ${placeOf(trials)} AS place, ${startedMicros} AS started_micros, id, version, toFloat64(storage_size_bytes) AS bytes
    ${trialsFrom(trials)} AND (started_at, id) IN (${keys}) AND trial_row IN ${some}`
}

/** Start of a trial as it is answered. */
export const startedMicros: Sql = sql`toFloat64(toUnixTimestamp64Micro(started_at))`

/** Texts that the store can hold: one with NUL in it is refused, together with all that go with it. */
export function possible(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => !text.includes('\0'))
}
