import { bind, join, sql, type Micros, type Sql } from '@heddle/datastore'
import { seen } from '../calls-query.ts'
import { placeOf, startedMicros, trialsFrom, type TrialsIn, versionsOfTrials } from './trials-in.ts'

/** Trials of one evaluation that are alike in all but their row, ids, times and numbers. */
export interface TrialGroup {
  /** Names the group in later statements about the same trials. */
  name: string
  /** Place of the evaluation. */
  place: string
  /** Columns of the trials that are equal in all of them. */
  score_shape: string
  eval_marks: string
  /** Equal for families of calls below that have the same number of calls of each kind. */
  family: string
  /** An older version wrote some of the calls below, without what tells their kind. */
  has_older: number
  trials: number
  /** Sum of the values at each place of the shape. */
  sums: number[]
  /** Sorts groups by their first trial, in the order of the digests of rows. */
  first: string
  /** Digest of the first row. */
  first_row: string
  /** One of the trials. */
  sample: string
  /** Tokens that the trials themselves tell, and how many of them tell any. */
  own_tokens: number
  own_known: number
  /** The same of the calls below, by kind: kinds and the number of calls, kinds and their tokens. Kinds of which all tell 0 are missing among the latter. */
  known_below: [kinds: string[], counts: number[]]
  tokens_below: [kinds: string[], tokens: number[]]
}

/** A trial of a named group. */
export interface GroupedTrial {
  place: string
  row_digest: string
  started_micros: number
  id: string
  version: string
  bytes: number
}

/** Token counts of the calls of one kind below the trials of a group, for one model, between two changes of prices. */
export interface GroupUsage {
  name: string
  kind: string
  model: string
  /** How many of the changes of prices came before. */
  period: number
  first_micros: number
  last_micros: number
  /** Prompt tokens that were not cached; none below 0 in any call. */
  uncached_tokens: number
  completion_tokens: number
  cache_read_input_tokens: number
  cache_creation_input_tokens: number
}

export interface SummaryOf {
  trials: TrialsIn
  /** Digests of the rows that count; undefined for all. */
  rows: Sql | undefined
  /** Also look at the calls below the trials. */
  children: boolean
  /** The trials are more than `manyTrials`. */
  isLarge: boolean
}

/** The kind of a call below a trial: all that the rules look at but its id, times, tokens and what it returned. */
// The hash of one column of few words is taken of each word, not of each row. Kinds are added up, so the sum within one must not be a sum of its parts.
export const callKind: Sql = sql`intHash64(sipHash64(op_name) + 3 * sipHash64(eval_marks) + 2 * isNull(exception) + isNull(ended_at))`

/**
 * The index of parents is asked for each of them at each of its places: with more of them than this it takes longer than to compare the parents of
 * all calls of the project.
 */
export const manyTrials = 1_500

/** Answers a row for each of the first trials, as many as there are or one more than `manyTrials`, so that counting is cheap. */
export function countTrials({ project_id, evaluations }: TrialsIn): Sql {
  return sql`SELECT toFloat64(count()) AS total FROM (SELECT 1 ${versionsOfTrials({ project_id, evaluations })} LIMIT ${bind('UInt64', manyTrials + 1)})`
}

/** All trials in groups. */
export function trialGroups(input: SummaryOf): Sql {
  const family = sql`if(family_size = 0, '', concat(toString(family_sum), ' ', toString(family_size)))`
  return sql`SELECT ${groupName} AS name, place, any(score_shape) AS score_shape, any(eval_marks) AS eval_marks, ${family} AS family,
    has_older, toFloat64(count()) AS trials, sumForEach(score_values) AS sums, min(ordered) AS first, min(trial_row) AS first_row,
    any(id) AS sample, toFloat64(ifNull(sum(total_tokens), 0)) AS own_tokens, toFloat64(count(total_tokens)) AS own_known,
    ${numbersOf(sql`sumMap(kinds, known)`)} AS known_below, ${numbersOf(sql`sumMap(kinds, tokens)`)} AS tokens_below
    FROM (${groupedTrials(input)}) GROUP BY ${groupKey}`
}

/** The trials of some groups, a million at most. */
export function trialsOfGroups(input: SummaryOf, names: readonly string[]): Sql {
  return sql`SELECT place, trial_row AS row_digest, started_micros, id, version, bytes FROM (${groupedTrials(input)})
    WHERE ${groupName} IN ${bind('Array(String)', names)}`
}

/** What the calls below the trials have used, by group, kind and model. `changes` are the times at which prices change, in their order. */
export function usageOfGroups(input: SummaryOf, changes: readonly Micros[]): Sql {
  const started = sql`toUnixTimestamp64Micro(c.2)`
  const period = sql`arrayCount(change -> change <= call_started, ${bind('Array(Int64)', changes)})`
  const cached = sql`used.cache_read_input_tokens + used.cache_creation_input_tokens`
  const total = (name: string, value: Sql) => sql`toFloat64(sum(${value})) AS ${bind('Identifier', name)}`
  return sql`SELECT ${groupName} AS name, toString(call_kind) AS kind, used.model AS model, toFloat64(${period}) AS period,
    toFloat64(min(call_started)) AS first_micros, toFloat64(max(call_started)) AS last_micros,
    ${total('uncached_tokens', sql`greatest(used.input_tokens - (${cached}), 0)`)}, ${total('completion_tokens', sql`used.output_tokens`)},
    ${total('cache_read_input_tokens', sql`used.cache_read_input_tokens`)}, ${total('cache_creation_input_tokens', sql`used.cache_creation_input_tokens`)}
    FROM (SELECT ${groupKey}, c.1 AS call_kind, ${started} AS call_started, arrayJoin(c.3) AS used FROM (${groupedTrials(input, true)}) ARRAY JOIN paid AS c)
    GROUP BY ${groupKey}, call_kind, model, period`
}

/** What trials of a group have in common: two hashes of the shape, so that no two shapes are taken for one. Numbers are grouped faster than a text or a name of them all. */
const groupKey: Sql = sql`place, shape_hash, other_shape_hash, marks_hash, family_sum, family_size, has_older`
const groupName: Sql = sql`hex(sipHash128(${groupKey}))`

/** Trials with the key of their group. `withPaid`: also with what each call below has used. */
function groupedTrials(input: SummaryOf, withPaid = false): Sql {
  const { trials, rows, children } = input
  const own = sql`${placeOf(trials)} AS place, trial_row, ${startedMicros} AS started_micros, id, version, toFloat64(storage_size_bytes) AS bytes, score_shape,
    score_values, eval_marks, total_tokens, concat(trial_row, '\\0', toString(toUnixTimestamp64Micro(started_at) + 4611686018427387904), id) AS ordered`
  const counted = sql`SELECT ${own} ${trialsFrom(trials)}${rows === undefined ? sql`` : sql` AND trial_row IN (${rows})`}`
  const hashes = sql`sipHash64(score_shape) AS shape_hash, cityHash64(score_shape) AS other_shape_hash, sipHash64(eval_marks) AS marks_hash`
  if (!children) {
    const noFamily = sql`0 AS family_sum, 0 AS family_size, 0 AS has_older, CAST([] AS Array(UInt64)) AS kinds, CAST([] AS Array(UInt64)) AS known, CAST([] AS Array(Int64)) AS tokens`
    return sql`SELECT *, ${hashes}, ${noFamily} FROM (${counted})`
  }
  return sql`SELECT *, ${hashes} FROM (${counted}) AS trial LEFT ANY JOIN (${families(input, withPaid)}) AS below ON child_of = id`
}

/** The calls below all trials, by parent. */
function families(input: SummaryOf, withPaid: boolean): Sql {
  const { trials, isLarge } = input
  const { project_id, now } = trials
  const paid = withPaid ? sql`, groupArrayIf((kind, started_at, usage), notEmpty(usage)) AS paid` : sql``
  const live = join(seen({ project_id, now }), sql` AND `)
  // Hashes are compared without the index. Calls below others with an equal hash are joined to no trial.
  const isBelow = isLarge
    ? sql`cityHash64(parent_id) IN (SELECT cityHash64(id) ${versionsOfTrials(trials)})`
    : sql`parent_id IN (SELECT id ${versionsOfTrials(trials)})`
  return sql`SELECT parent_id AS child_of, sum(kind) AS family_sum, count() AS family_size, toUInt8(max(eval_marks = '')) AS has_older,
    groupArrayIf((kind, assumeNotNull(total_tokens)), isNotNull(total_tokens)) AS told, arrayMap(t -> t.1, told) AS kinds,
    arrayMap(t -> toUInt64(1), told) AS known, arrayMap(t -> t.2, told) AS tokens${paid}
    FROM (SELECT parent_id, ${callKind} AS kind, eval_marks, total_tokens, started_at${withPaid ? sql`, usage` : sql``}
      FROM heddle.calls FINAL WHERE ${live} AND ${isBelow})
    GROUP BY parent_id`
}

function numbersOf(map: Sql): Sql {
  return sql`arrayMap(m -> (arrayMap(kind -> toString(kind), m.1), arrayMap(number -> toFloat64(number), m.2)), [${map}])[1]`
}
