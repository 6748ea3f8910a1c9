import { bind, join, sql, type Micros, type Sql } from '@heddle/datastore'
import { seen } from '../calls-query.ts'
import { placeOf, startedMicros, trialsFrom, type TrialsIn, versionsOfTrials } from './trials-in.ts'

/** Trials of one evaluation that are equal in everything but their row, ids, times and numbers. */
export interface TrialGroup {
  /** Names the group in later statements about the same trials. */
  name: string
  /** Index of the evaluation. */
  place: string
  /** Columns of the trials that are equal in all of them. */
  score_shape: string
  eval_marks: string
  /** Equal for families of calls below that have the same number of calls of each kind. */
  family: string
  /** An older version wrote some of the calls below, without the columns that determine their kind. */
  has_older: number
  trials: number
  /** Sum of the values at each position of the shape. */
  sums: number[]
  /** Sorts groups by their first trial, in the order of the digests of rows. */
  first: string
  /** Digest of the first row. */
  first_row: string
  /** Id of one of the trials. */
  sample: string
  /** Tokens that the trials themselves report, and how many of them report any. */
  own_tokens: number
  own_known: number
  /**
   * The same for the calls below, by kind: kinds and the number of calls, kinds and their tokens. Kinds that report only 0 are missing among the
   * latter.
   */
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
  /** How many of the price changes came before. */
  period: number
  first_micros: number
  last_micros: number
  /** Prompt tokens that were not cached; none below 0 in any call. */
  uncached_tokens: number
  completion_tokens: number
  cache_read_input_tokens: number
  cache_creation_input_tokens: number
}

/** Usage for which single requests determine the price, as far as columns show: false positives do no harm. */
export interface SpecialUsage {
  /** Models whose prices have tiers, or prices of single kinds of tokens. */
  models: readonly string[]
  /** Size of a prompt beyond which some price changes; null for none. */
  above: number | null
  /** Some price depends on the tier of service. */
  hasTiers: boolean
  /** Parts of the names of separately priced tokens. */
  marks: readonly string[]
}

/** A call below a trial of a group with such usage. */
export interface SpecialCall {
  name: string
  kind: string
  started_micros: number
  /** JSON text of the token counts by model. */
  usage: string
  kind_words: string
  span_scope: string
  service_tier: string
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

/** The kind of a call below a trial: everything that the rules read except its id, times, tokens and output. */
// The hash of one column of few words is taken of each word, not of each row. Kinds are added up, so the sum within one must not be a sum of its parts.
export const callKind: Sql = sql`intHash64(sipHash64(op_name) + 3 * sipHash64(eval_marks) + 2 * isNull(exception) + isNull(ended_at))`

/**
 * The index of parents is read for each of them at each of its positions: with more of them than this, that takes longer than comparing the parents
 * of all calls of the project.
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

/**
 * Usage of the calls below the trials, by group, kind and model. `changes` are the times at which prices change, ascending; `special` is excluded,
 * and so are totals alone, which have no price.
 */
export function usageOfGroups(input: SummaryOf, changes: readonly Micros[], special: SpecialUsage | null): Sql {
  const started = sql`toUnixTimestamp64Micro(c.2)`
  const period = sql`arrayCount(change -> change <= call_started, ${bind('Array(Int64)', changes)})`
  const cached = sql`used.cache_read_input_tokens + used.cache_creation_input_tokens`
  const total = (name: string, value: Sql) => sql`toFloat64(sum(${value})) AS ${bind('Identifier', name)}`
  return sql`SELECT ${groupName} AS name, toString(call_kind) AS kind, used.model AS model, toFloat64(${period}) AS period,
    toFloat64(min(call_started)) AS first_micros, toFloat64(max(call_started)) AS last_micros,
    ${total('uncached_tokens', sql`greatest(used.input_tokens - (${cached}), 0)`)}, ${total('completion_tokens', sql`used.output_tokens`)},
    ${total('cache_read_input_tokens', sql`used.cache_read_input_tokens`)}, ${total('cache_creation_input_tokens', sql`used.cache_creation_input_tokens`)}
    FROM (SELECT ${groupKey}, c.1 AS call_kind, ${started} AS call_started, arrayJoin(c.3) AS used FROM (${groupedTrials(input, paidCalls(special))}) ARRAY JOIN paid AS c)
    WHERE used.input_tokens + used.output_tokens > 0 OR used.total_tokens = 0 GROUP BY ${groupKey}, call_kind, model, period`
}

/** The calls of special usage below the trials. */
export function specialOfGroups(input: SummaryOf, special: SpecialUsage): Sql {
  const columns = sql`kind_words, span_scope, service_tier, summary`
  const call = sql`(kind, started_at, JSONExtractRaw(summary, 'usage'), toString(kind_words), toString(span_scope), toString(service_tier))`
  const paid = { columns: sql`usage, ${columns}`, calls: sql`groupArrayIf(${call}, notEmpty(usage) AND ${isSpecial(special)})` }
  return sql`SELECT ${groupName} AS name, toString(c.1) AS kind, toFloat64(toUnixTimestamp64Micro(c.2)) AS started_micros, c.3 AS usage,
    c.4 AS kind_words, c.5 AS span_scope, c.6 AS service_tier FROM (${groupedTrials(input, paid)}) ARRAY JOIN paid AS c`
}

/** Calls below a trial that are read for their usage. */
interface PaidCalls {
  /** Columns of calls that are needed. */
  columns: Sql
  /** An aggregate over the calls below a trial. */
  calls: Sql
}

function paidCalls(special: SpecialUsage | null): PaidCalls {
  const plain = special === null ? sql`` : sql` AND NOT ${isSpecial(special)}`
  return {
    columns: special === null ? sql`usage` : sql`usage, service_tier, summary`,
    calls: sql`groupArrayIf((kind, started_at, usage), notEmpty(usage)${plain})`,
  }
}

/** The word for the plain service is in the usage of every call of some providers. */
const plainTier = '"service_tier":"standard"'

function isSpecial({ models, above, hasTiers, marks }: SpecialUsage): Sql {
  const prompt = sql`used.input_tokens + used.cache_read_input_tokens + used.cache_creation_input_tokens`
  const names = sql`countSubstrings(summary, 'service_tier') + countSubstrings(summary, 'serviceTier') + countSubstringsCaseInsensitive(summary, 'traffic')`
  const signs = [
    ...(above === null ? [] : [sql`arrayExists(used -> ${prompt} > ${bind('Int64', above)}, usage)`]),
    ...(hasTiers ? [sql`service_tier != ''`, sql`${names} > countSubstrings(summary, ${bind('String', plainTier)})`] : []),
    ...(marks.length > 0 ? [sql`multiSearchAny(summary, ${bind('Array(String)', marks)})`] : []),
  ]
  return sql`(hasAny(arrayMap(used -> toString(used.model), usage), ${bind('Array(String)', models)}) AND (${join([sql`0`, ...signs], sql` OR `)}))`
}

/**
 * The shared values of the trials of a group: two hashes of the shape, so that different shapes are not confused. Numbers are grouped faster than a
 * text or a name of them all.
 */
const groupKey: Sql = sql`place, shape_hash, other_shape_hash, marks_hash, family_sum, family_size, has_older`
const groupName: Sql = sql`hex(sipHash128(${groupKey}))`

/** Trials with the key of their group. `paid`: also with what calls below have used. */
function groupedTrials(input: SummaryOf, paid?: PaidCalls): Sql {
  const { trials, rows, children } = input
  const own = sql`${placeOf(trials)} AS place, trial_row, ${startedMicros} AS started_micros, id, version, toFloat64(storage_size_bytes) AS bytes, score_shape,
    score_values, eval_marks, total_tokens, concat(trial_row, '\\0', toString(toUnixTimestamp64Micro(started_at) + 4611686018427387904), id) AS ordered`
  const counted = sql`SELECT ${own} ${trialsFrom(trials)}${rows === undefined ? sql`` : sql` AND trial_row IN (${rows})`}`
  const hashes = sql`sipHash64(score_shape) AS shape_hash, cityHash64(score_shape) AS other_shape_hash, sipHash64(eval_marks) AS marks_hash`
  if (!children) {
    const noFamily = sql`0 AS family_sum, 0 AS family_size, 0 AS has_older, CAST([] AS Array(UInt64)) AS kinds, CAST([] AS Array(UInt64)) AS known, CAST([] AS Array(Int64)) AS tokens`
    return sql`SELECT *, ${hashes}, ${noFamily} FROM (${counted})`
  }
  return sql`SELECT *, ${hashes} FROM (${counted}) AS trial LEFT ANY JOIN (${families(input, paid)}) AS below ON child_of = id`
}

/** The calls below all trials, by parent. */
function families(input: SummaryOf, paid: PaidCalls | undefined): Sql {
  const { trials, isLarge } = input
  const { project_id, visibility } = trials
  const calls = paid === undefined ? sql`` : sql`, ${paid.calls} AS paid`
  const live = join(seen(project_id, visibility), sql` AND `)
  // Hashes are compared without the index. Calls below other calls with an equal hash are joined to no trial.
  const isBelow = isLarge
    ? sql`cityHash64(parent_id) IN (SELECT cityHash64(id) ${versionsOfTrials(trials)})`
    : sql`parent_id IN (SELECT id ${versionsOfTrials(trials)})`
  return sql`SELECT parent_id AS child_of, sum(kind) AS family_sum, count() AS family_size, toUInt8(max(eval_marks = '')) AS has_older,
    groupArrayIf((kind, assumeNotNull(total_tokens)), isNotNull(total_tokens)) AS told, arrayMap(t -> t.1, told) AS kinds,
    arrayMap(t -> toUInt64(1), told) AS known, arrayMap(t -> t.2, told) AS tokens${calls}
    FROM (SELECT parent_id, ${callKind} AS kind, eval_marks, total_tokens, started_at${paid === undefined ? sql`` : sql`, ${paid.columns}`}
      FROM heddle.calls FINAL WHERE ${live} AND ${isBelow})
    GROUP BY parent_id`
}

function numbersOf(map: Sql): Sql {
  return sql`arrayMap(m -> (arrayMap(kind -> toString(kind), m.1), arrayMap(number -> toFloat64(number), m.2)), [${map}])[1]`
}
