import { type ScopedAnalytical, bind, join, type Micros, sql, type Sql } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ProjectVisibility } from '../../../deletions/visibility.ts'
import { payloadJson } from '../../../query/fields/payload-text.ts'
import { feedbackNotHidden, type HiddenRecords } from '../../../query/visible-records.ts'
import { statColumns, type StatRow } from '../../../query/stat-columns.ts'
import type { Aggregation, FeedbackStat, ValueType } from './feedback-metrics.ts'
import { compileExpression } from '../../../query/compile/compile-expression.ts'
import { readFeedbackRowField } from '../../../query/fields/read/read-feedback-row.ts'
import type {
  AggregateScope,
  AggregatedFeedback,
  FeedbackBucket,
  FeedbackGrouping,
  FeedbackScope,
  FeedbackStatsStore,
} from './feedback-stats-store.ts'

const aggregates: Record<Aggregation, (value: Sql) => Sql> = {
  sum: (value) => sql`sum(${value})`,
  avg: (value) => sql`avg(${value})`,
  min: (value) => sql`min(${value})`,
  max: (value) => sql`max(${value})`,
  count: (value) => sql`count(${value})`,
  count_true: (value) => sql`countIf(${value} = 1)`,
  count_false: (value) => sql`countIf(${value} = 0)`,
}

/** The value in a JSON text `r` as a number, NULL where it is of another type. A text has no number: it can only be counted. */
const typed: Record<ValueType, Sql> = {
  numeric: sql`if(match(r, '^-?[0-9]'), toFloat64OrNull(r), NULL)`,
  boolean: sql`multiIf(r = 'true', toFloat64(1), r = 'false', toFloat64(0), NULL)`,
  categorical: sql`if(startsWith(r, '"'), nan, NULL)`,
}

type AnsweredBucket = Pick<FeedbackBucket, 'count'> & { bucket: string; group_id: string } & StatRow

export function sqlFeedbackStatsStore(analytical: ScopedAnalytical, visibility: ProjectVisibility): FeedbackStatsStore {
  const hiddenIn = async (project: ProjectScope) => (await visibility.of(project)).hidden

  return {
    async buckets(scope, { starts, groups }, stats) {
      const hidden = await hiddenIn(scope.project)
      const paths = distinctValues(stats)
      const values = [...paths.values()].map(({ sql: value, at }) => sql`${value} AS ${valueAt(at)}`)
      const bucket = sql`roundDown(toUnixTimestamp64Micro(created_at), ${bind('Array(Int64)', starts)}) AS bucket`
      const groupId = groups === null ? sql`''` : idOf(groupKeys[groups.by])
      const group = sql`${groupId} AS group_id`
      const ids = (groups?.groups ?? []).map(({ id }) => id)
      const isInGroup = groups === null ? sql`1` : sql`${groupId} IN ${bind('Array(String)', ids)}`
      const valueOf = (stat: FeedbackStat) => valueAt(paths.get(pathName(stat))?.at ?? 0)
      const columns = statColumns(stats, {
        aggregate: (stat) => aggregateSqlOf(stat.aggregation, valueOf(stat)),
        nameOf: pathName,
        valueOf: (stat) => finite(valueOf(stat)),
      })
      const rows = await analytical.of(scope.project).rows<AnsweredBucket>(
        sql`SELECT bucket, group_id, toFloat64(count()) AS count, ${columns.sql}
          FROM (SELECT ${join([bucket, group, ...values], sql`, `)} FROM heddle.feedback FINAL WHERE ${scopeSql(scope, hidden)} AND ${isInGroup}) GROUP BY bucket, group_id`,
      )
      return rows.map((row) => ({ bucket: Number(row.bucket), group: row.group_id, count: row.count, stats: columns.read(row) }))
    },

    async groups(scope, by, limit) {
      const hidden = await hiddenIn(scope.project)
      const rows = await analytical.of(scope.project).rows<{ key: string; id_of_group: string; total: number }>(
        sql`SELECT ${groupKeys[by]} AS key, ${idOf(sql`key`)} AS id_of_group, toFloat64(count() OVER ()) AS total
          FROM heddle.feedback FINAL WHERE ${scopeSql(scope, hidden)} GROUP BY key ORDER BY count() DESC, key LIMIT ${bind('UInt64', limit)}`,
      )
      return { groups: rows.map(({ key, id_of_group: id }) => ({ id, key })), total: rows[0]?.total ?? 0 }
    },

    async *newestPayloads(scope, limit) {
      const hidden = await hiddenIn(scope.project)
      const newest = sql`SELECT argMax((weave_ref, id), (created_at, id)) FROM heddle.feedback FINAL WHERE ${scopeSql(scope, hidden)}
        GROUP BY trigger_ref ORDER BY max(created_at) DESC LIMIT ${bind('UInt64', limit)}`
      const payloads = sql`SELECT payload FROM heddle.feedback FINAL WHERE ${scopeSql(scope, hidden)} AND (weave_ref, id) IN (${newest})`
      for await (const block of analytical.of(scope.project).blocks<{ payload: string }>(payloads))
        yield block.map(({ payload }) => payload)
    },

    async aggregate(scope) {
      const hidden = await hiddenIn(scope.project)
      const dimensions = scope.group_by.map((name, index) => sql`${groupSql[name]} AS ${bind('Identifier', `group_${index}`)}`)
      const groups = scope.group_by.map((_, index) => sql`${bind('Identifier', `group_${index}`)}`)
      const keys = join([sql`bucket`, ...groups], sql`, `)
      const inner = join([sql`${bucketSql(scope)} AS bucket`, ...dimensions, ratings, sql`scorer_tags`], sql`, `)
      const rows = await analytical.of(scope.project).rows<AnsweredAggregate>(
        sql`SELECT bucket, [${join(
          groups.map((group) => sql`toString(${group})`),
          sql`, `,
        )}] AS group_values, ${sums}
          FROM (SELECT ${inner} FROM heddle.feedback FINAL WHERE ${aggregateSql(scope, hidden)}) GROUP BY ${keys} ORDER BY ${keys}`,
      )
      return rows.map((row) => toAggregated(row, scope))
    },
  }
}

function valueAt(at: number): Sql {
  return sql`${bind('Identifier', `value_${at}`)}`
}

function pathName({ path, valueType }: FeedbackStat): string {
  return `${valueType} ${path.join('.')}`
}

/** Each source value of some stat, once. */
function distinctValues(stats: readonly FeedbackStat[]): Map<string, { at: number; sql: Sql }> {
  const values = new Map<string, { at: number; sql: Sql }>()
  for (const stat of stats) {
    const name = pathName(stat)
    // The lambda names the text, which is a long expression.
    const value = sql`arrayMap(r -> ${typed[stat.valueType]}, [${payloadJson(sql`payload`, stat.path)}])[1]`
    if (!values.has(name)) values.set(name, { at: values.size, sql: value })
  }
  return values
}

/** JSON has no infinity and no NaN: they are texts, which can only be counted. */
function finite(value: Sql): Sql {
  return sql`if(isFinite(${value}), ${value}, NULL)`
}

function aggregateSqlOf(aggregation: Aggregation, value: Sql): Sql {
  return sql`toFloat64OrNull(toString(${aggregates[aggregation](aggregation === 'count' ? value : finite(value))}))`
}

function scopeSql({ project, start, end, feedback_type, trigger_ref, query }: FeedbackScope, hidden: HiddenRecords): Sql {
  const conditions = [
    sql`project_id = ${bind('String', project.id)}`,
    sql`created_at >= ${micros(start)} AND created_at < ${micros(end)}`,
    ...feedbackNotHidden(project.id, hidden),
    ...(feedback_type === null ? [] : [sql`feedback_type = ${bind('String', feedback_type)}`]),
    ...(trigger_ref === null ? [] : [triggerSql(trigger_ref)]),
    ...(query === null ? [] : [compileExpression(query, readFeedbackRowField)]),
  ]
  return join(conditions, sql` AND `)
}

function triggerSql(ref: string): Sql {
  return ref.endsWith(':*') ? sql`startsWith(trigger_ref, ${bind('String', ref.slice(0, -1))})` : sql`trigger_ref = ${bind('String', ref)}`
}

function micros(at: Micros): Sql {
  return sql`fromUnixTimestamp64Micro(${bind('Int64', at)})`
}

/** Name of the object or op in a ref, empty if there is none. */
const triggerName = sql`extract(trigger_ref, '/(?:object|op)/([^/:]+):')`
const runnableName = sql`extract(runnable_ref, '/(?:object|op)/([^/:]+):')`

/** Keys may be long, and may contain characters that request values must not. */
const idOf = (key: Sql): Sql => sql`hex(sipHash128(${key}))`

const groupKeys: Record<FeedbackGrouping, Sql> = {
  type: sql`toString(feedback_type)`,
  scorer: runnableName,
  user: sql`toString(wb_user_id)`,
  reaction: sql`if(feedback_type = 'wandb.reaction.1', JSONExtractString(payload, 'emoji'), '')`,
}

const groupSql: Record<AggregateScope['group_by'][number], Sql> = {
  scorer_id: runnableName,
  span_agent_name: sql`span_agent_name`,
  span_agent_version: sql`span_agent_version`,
  span_status_code: sql`span_status_code`,
}

const ratings = sql`JSONExtractKeysAndValues(scorer_ratings, 'Float64') AS ratings`

const sums = sql`toFloat64(count()) AS total_count, toFloat64(countIf(notEmpty(scorer_tags) OR notEmpty(ratings))) AS scored_count,
  sumMap(arrayDistinct(scorer_tags), arrayMap(t -> toFloat64(1), arrayDistinct(scorer_tags))) AS tag_counts,
  sumMap(arrayMap(e -> e.1, ratings), arrayMap(e -> toFloat64(1), ratings)) AS rating_counts,
  sumMap(arrayMap(e -> e.1, ratings), arrayMap(e -> e.2, ratings)) AS rating_sums`

interface AnsweredAggregate {
  bucket: string
  group_values: string[]
  total_count: number
  scored_count: number
  tag_counts: [string[], number[]]
  rating_counts: [string[], number[]]
  rating_sums: [string[], number[]]
}

function bucketSql({ time_bucket_seconds }: AggregateScope): Sql {
  if (time_bucket_seconds === null) return sql`toInt64(0)`
  const millis = bind('Int64', time_bucket_seconds * 1000)
  return sql`intDiv(intDiv(toUnixTimestamp64Micro(created_at), 1000), ${millis}) * ${millis}`
}

function aggregateSql(scope: AggregateScope, hidden: HiddenRecords): Sql {
  const { rating_min, rating_max } = scope
  const rating = sql`JSONExtract(scorer_ratings, '_rating_', 'Nullable(Float64)')`
  const range = {
    project: scope.project,
    start: scope.after_ms * 1000,
    end: scope.before_ms * 1000,
    feedback_type: null,
    trigger_ref: null,
    query: null,
  }
  const conditions = [
    scopeSql(range, hidden),
    ...given(scope.feedback_types, (types) => beginsWith(sql`feedback_type`, types.map(withoutStar))),
    ...given(scope.tags, (tags) => sql`hasAny(scorer_tags, ${bind('Array(String)', tags)})`),
    ...given(scope.monitor_ids, (names) => isNamed(triggerName, names)),
    ...given(scope.scorer_ids, (names) => isNamed(runnableName, names)),
    ...given(scope.span_agent_names, (names) => sql`span_agent_name IN ${bind('Array(String)', names)}`),
    ...given(scope.span_types, (kinds) => sql`extract(weave_ref, '^weave:///[^/]+/[^/]+/([^/]+)/') IN ${bind('Array(String)', kinds)}`),
    ...(rating_min === null ? [] : [sql`${rating} >= ${bind('Float64', rating_min)}`]),
    ...(rating_max === null ? [] : [sql`${rating} <= ${bind('Float64', rating_max)}`]),
  ]
  return join(conditions, sql` AND `)
}

function given<T>(list: readonly T[], compile: (entries: readonly T[]) => Sql): Sql[] {
  return list.length > 0 ? [compile(list)] : []
}

function withoutStar(text: string): string {
  return text.replace(/\*$/, '')
}

function beginsWith(column: Sql, beginnings: readonly string[]): Sql {
  return sql`arrayExists(b -> startsWith(${column}, b), ${bind('Array(String)', beginnings)})`
}

/** Matches one of the names, or the prefix of one that ends in a star. */
function isNamed(name: Sql, names: readonly string[]): Sql {
  const beginnings = names.filter((entry) => entry.endsWith('*')).map(withoutStar)
  return sql`(${name} IN ${bind('Array(String)', names)} OR (${name} != '' AND ${beginsWith(name, beginnings)}))`
}

function toAggregated(row: AnsweredAggregate, { time_bucket_seconds }: AggregateScope): AggregatedFeedback {
  const rating_counts = toMap(row.rating_counts)
  const rating_sums = toMap(row.rating_sums)
  return {
    time_bucket_start_ms: time_bucket_seconds === null ? null : Number(row.bucket),
    group: row.group_values,
    total_count: row.total_count,
    scored_count: row.scored_count,
    tag_counts: toMap(row.tag_counts),
    rating_counts,
    // The engine leaves out sums of 0.
    rating_sums: new Map([...rating_counts.keys()].map((name) => [name, rating_sums.get(name) ?? 0])),
  }
}

function toMap([names, values]: [string[], number[]]): Map<string, number> {
  return new Map(names.map((name, index) => [name, values[index] ?? 0]))
}
