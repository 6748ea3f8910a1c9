import { bind, join, sql, type ScopedAnalytical, type Param, type Sql } from '@heddle/datastore'
import { isFailed } from '../../../query/call-conditions.ts'
import { seen } from '../../../query/calls-query.ts'
import { derivedIn, isFailedOrAbove, isRoot } from '../../../query/derived-conditions.ts'
import { compileFilter } from '../../../query/compile/compile-filter.ts'
import { modelUsage, type ModelUsageRow, toModelUsage } from '../../../query/model-usage.ts'
import { statColumns, type StatColumns, type StatRow } from '../../../query/stat-columns.ts'
import type { SelectionPreparer } from '../read/prepare-selection.sql.ts'
import type { BucketStats, CallsStatsStore, GroupsScope, StatsGrouping, StatsScope } from './calls-stats-store.ts'
import { toTraceTotal, type TraceRow, traceTotalsSql } from './trace-totals-store.sql.ts'
import type { Aggregation, CallMetric, Stat, TokenMetric } from './stats-metrics.ts'

interface BucketRow extends StatRow {
  bucket: string
  group_id: string
  count: number
}

/** Models whose prices are looked up; more are taken to have none. */
const maxModels = 10_000

const callValues: Record<Exclude<CallMetric, 'error_count'>, Sql> = {
  latency_ms: sql`if(ended_at >= started_at, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000), NULL)`,
  call_count: sql`1`,
}

const aggregates: Record<Aggregation, (value: Sql) => Sql> = {
  sum: (value) => sql`ifNull(sum(${value}), 0)`,
  avg: (value) => sql`ifNull(avg(${value}), 0)`,
  min: (value) => sql`min(${value})`,
  max: (value) => sql`max(${value})`,
  count: (value) => sql`count(${value})`,
  count_true: (value) => sql`countIf((${value}) = 1)`,
  count_false: (value) => sql`countIf((${value}) = 0)`,
}

export function sqlCallsStatsStore(analytical: ScopedAnalytical, preparer: SelectionPreparer): CallsStatsStore {
  /** The conditions of the calls that a query selects in a range. */
  async function selectedSql(scope: Omit<StatsScope, 'buckets' | 'groups'>): Promise<Sql> {
    const { project, query, start, end } = scope
    if (query === null) return rangeSql(scope)
    const all = { filter: null, sort_by: null, limit: null, offset: null, expand_columns: null }
    const prepared = await preparer.prepare(project, { ...all, query })
    const places = prepared.query.places(await preparer.statementOf(prepared, { from: start, until: end }))
    return sql`${rangeSql(scope)} AND (started_at, id) IN (${places})`
  }

  /** The conditions of usage that counts and whose calls a query selects. */
  async function countedIn(scope: Omit<StatsScope, 'buckets' | 'groups'>): Promise<Sql> {
    const range = derivedIn({ ...scope, projectId: scope.project.id })
    const { trace_roots_only: _, ...filter } = scope.filter ?? {}
    const isWhole = scope.query === null && Object.values(filter).every((part) => part === null)
    if (isWhole) return range
    return sql`${range} AND (started_at, call_id) IN (SELECT started_at, id FROM heddle.calls FINAL WHERE ${await selectedSql(scope)})`
  }

  async function countedGroups({ by, limit, ...scope }: Omit<GroupsScope, 'size'>) {
    const rows = await analytical.of(scope.project).rows<{ key: string; id_of_group: string; total: number }>(
      sql`SELECT ${countedKeys[by]} AS key, ${idOf(sql`key`)} AS id_of_group, toFloat64(count() OVER ()) AS total FROM heddle.usage FINAL
        WHERE ${await countedIn(scope)} GROUP BY key ORDER BY sum(input_tokens + output_tokens) DESC, key LIMIT ${bind('UInt64', limit)}`,
    )
    return { groups: rows.map(({ key, id_of_group: id }) => ({ id, key })), total: rows[0]?.total ?? 0 }
  }

  async function countedBuckets(scope: StatsScope, stats: readonly Stat<TokenMetric>[]) {
    const columns = columnsOf(stats, (metric) => countedColumns[metric])
    const { groups } = scope
    const group = groups === null ? sql`''` : idOf(countedKeys[groups.by])
    const chosen =
      groups === null
        ? sql`1`
        : sql`${group} IN ${bind(
            'Array(String)',
            groups.groups.map(({ id }) => id),
          )}`
    const rows = await analytical.of(scope.project).rows<BucketRow & { name_of_model: string }>(
      sql`SELECT ${bucketOf(scope)} AS bucket, ${group} AS group_id, toString(model) AS name_of_model, toFloat64(count()) AS count, ${columns.sql}
        FROM heddle.usage FINAL WHERE ${await countedIn(scope)} AND ${chosen} GROUP BY bucket, group_id, name_of_model`,
    )
    return rows.map((row) => ({ ...toBucketStats(row, columns), model: row.name_of_model }))
  }

  return {
    async groups({ by, size, limit, ...scope }) {
      if (size === 'tokens' && isCounted(scope)) return countedGroups({ by, limit, ...scope })
      const conditions = size === 'calls' ? callRoots(scope) : sql`notEmpty(usage.model)`
      const rows = await analytical.of(scope.project).rows<{ key: string; id_of_group: string; total: number }>(
        sql`SELECT ${groupKeys[by]} AS key, ${idOf(sql`key`)} AS id_of_group, toFloat64(count() OVER ()) AS total FROM heddle.calls FINAL ${joinedModels({ by, size })}
          WHERE ${await selectedSql(scope)} AND ${conditions}
          GROUP BY key ORDER BY ${sizeSql({ by, size })} DESC, key LIMIT ${bind('UInt64', limit)}`,
      )
      return { groups: rows.map(({ key, id_of_group: id }) => ({ id, key })), total: rows[0]?.total ?? 0 }
    },
    async usageBuckets(scope, stats) {
      if (isCounted(scope)) return countedBuckets(scope, stats)
      // Only the lists that are asked for: by its own name, the engine would read all of the column.
      const counts = [...new Set(stats.map(({ metric }) => metric))].map((metric) => sql`, usage.${named(metric)} AS ${named(metric)}`)
      const columns = columnsOf(stats, (metric) => sql`${named(metric)}`)
      const rows = await analytical.of(scope.project).rows<BucketRow & { model: string }>(
        sql`SELECT ${bucketOf(scope)} AS bucket, ${groupOf(scope)} AS group_id, model, toFloat64(count()) AS count, ${columns.sql}
          FROM heddle.calls FINAL ARRAY JOIN usage.model AS model${scope.groups?.by === 'model' ? sql`, usage.model AS group_model` : sql``}${join(counts, sql``)}
          WHERE ${await selectedSql(scope)} AND ${inGroups(scope)} GROUP BY bucket, group_id, model`,
      )
      return rows.map((row) => ({ ...toBucketStats(row, columns), model: row.model }))
    },
    async usageGroups(scope) {
      const rows = await analytical.of(scope.project).rows<{ key: string; total: number; usage_of_models: ModelUsageRow[] }>(
        sql`SELECT ${scope.group_by === null ? sql`''` : countedKeys[scope.group_by]} AS key, toFloat64(count() OVER ()) AS total, ${modelUsage} AS usage_of_models
          FROM heddle.usage FINAL WHERE ${await countedIn({ ...scope, query: null })}
          GROUP BY key ORDER BY sum(input_tokens + output_tokens) DESC, key LIMIT ${bind('UInt64', scope.limit)}`,
      )
      return {
        groups: rows.map(({ key, usage_of_models }) => ({ key, usage: usage_of_models.map(toModelUsage) })),
        total: rows[0]?.total ?? 0,
      }
    },
    async modelsUsed(scope) {
      const rows = await analytical
        .of(scope.project)
        .rows<{ name: string }>(
          sql`SELECT DISTINCT toString(model) AS name FROM heddle.usage FINAL WHERE ${derivedIn({ ...scope, projectId: scope.project.id })} LIMIT ${bind('UInt64', maxModels)}`,
        )
      return rows.map(({ name }) => name)
    },
    async traceTotals(scope) {
      const rows = await analytical.of(scope.project).rows<TraceRow>(traceTotalsSql(scope))
      return rows.map(toTraceTotal)
    },
    async callBuckets(scope, stats) {
      // A trace whose root succeeded has failed where another of its calls did.
      const failed = isCounted(scope) ? isFailedOrAbove(scope.project.id) : isFailed
      const columns = columnsOf(stats, (metric) => (metric === 'error_count' ? sql`toInt64(${failed})` : callValues[metric]))
      const rows = await analytical.of(scope.project).rows<BucketRow>(
        sql`SELECT ${bucketOf(scope)} AS bucket, ${groupOf(scope)} AS group_id, toFloat64(count()) AS count, ${columns.sql}
          FROM heddle.calls FINAL ${scope.groups === null ? sql`` : joinedModels({ by: scope.groups.by, size: 'calls' })}
          WHERE ${await selectedSql(scope)} AND ${callRoots(scope)} AND ${inGroups(scope)} GROUP BY bucket, group_id`,
      )
      return rows.map((row) => toBucketStats(row, columns))
    },
  }
}

function named(metric: TokenMetric): Param {
  return bind('Identifier', metric)
}

function bucketOf({ buckets }: StatsScope): Sql {
  return sql`roundDown(toUnixTimestamp64Micro(started_at), ${bind('Array(Int64)', buckets)})`
}

const tokens = sql`sum(arraySum(usage.input_tokens) + arraySum(usage.output_tokens))`

const groupKeys: Record<StatsGrouping, Sql> = {
  model: sql`toString(group_model)`,
  op: sql`replaceRegexpOne(toString(op_name), '^(weave:///.*):[^:/]*$', '\\\\1')`,
  user: sql`toString(wb_user_id)`,
  thread: sql`ifNull(thread_id, '')`,
}

type Grouped = Pick<Parameters<CallsStatsStore['groups']>[0], 'by' | 'size'>

/** Makes a row of each model that a call used; where calls are counted, also of one that used none. */
function joinedModels({ by, size }: Grouped): Sql {
  if (by !== 'model') return sql``
  return size === 'calls'
    ? sql`ARRAY JOIN if(empty(usage.model), [''], arrayMap(model -> toString(model), usage.model)) AS group_model`
    : sql`ARRAY JOIN usage.model AS group_model, usage.input_tokens AS group_input_tokens, usage.output_tokens AS group_output_tokens`
}

function sizeSql({ by, size }: Grouped): Sql {
  if (size === 'calls') return sql`count()`
  return by === 'model' ? sql`sum(group_input_tokens + group_output_tokens)` : tokens
}

function groupOf({ groups }: StatsScope): Sql {
  return groups === null ? sql`''` : idOf(groupKeys[groups.by])
}

function inGroups({ groups }: StatsScope): Sql {
  if (groups === null) return sql`1`
  return sql`${idOf(groupKeys[groups.by])} IN ${bind(
    'Array(String)',
    groups.groups.map(({ id }) => id),
  )}`
}

/** Keys may be long, and hold what no value of a request may. */
const idOf = (key: Sql): Sql => sql`hex(sipHash128(${key}))`

function rangeSql({ project, filter, start, end, now }: Omit<StatsScope, 'buckets' | 'groups' | 'query'>): Sql {
  return sql`${join(seen({ project_id: project.id, now }), sql` AND `)}
    AND started_at >= fromUnixTimestamp64Micro(${bind('Int64', start)}) AND started_at < fromUnixTimestamp64Micro(${bind('Int64', end)})
    AND ${join([sql`1`, ...compileFilter({ filter: { ...filter, trace_roots_only: null }, projectId: project.id })], sql` AND `)}`
}

function callRoots({ filter, project }: Pick<StatsScope, 'filter' | 'project'>): Sql {
  return filter?.trace_roots_only === true ? isRoot(project.id) : sql`1`
}

/** Statistics of traces are over usage that counts; those of calls over what each call reports. */
function isCounted({ filter }: Pick<StatsScope, 'filter'>): boolean {
  return filter?.trace_roots_only === true
}

const countedKeys: Record<StatsGrouping, Sql> = {
  model: sql`toString(model)`,
  op: sql`replaceRegexpOne(toString(op_name), '^(weave:///.*):[^:/]*$', '\\\\1')`,
  user: sql`toString(wb_user_id)`,
  thread: sql`thread_id`,
}

const countedColumns: Record<TokenMetric, Sql> = {
  input_tokens: sql`input_tokens`,
  output_tokens: sql`output_tokens`,
  total_tokens: sql`total_tokens`,
  cache_read_input_tokens: sql`cache_read_tokens`,
  cache_creation_input_tokens: sql`cache_write_tokens`,
}

function columnsOf<M extends string>(stats: readonly Stat<M>[], valueOf: (metric: M) => Sql): StatColumns {
  return statColumns(stats, {
    aggregate: ({ aggregation, metric }) => sql`toFloat64(${aggregates[aggregation](valueOf(metric))})`,
    nameOf: ({ metric }) => metric,
    valueOf: ({ metric }) => valueOf(metric),
  })
}

function toBucketStats(row: BucketRow, columns: StatColumns): BucketStats {
  return { bucket: Number(row.bucket), group: row.group_id, count: row.count, stats: columns.read(row) }
}
