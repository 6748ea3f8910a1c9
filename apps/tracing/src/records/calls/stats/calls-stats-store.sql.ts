import { bind, join, type Micros, sql, type ScopedAnalytical, type Param, type Sql } from '@heddle/datastore'
import { type CallStatus, detailCounts } from '@heddle/trace-model'
import { isFailed } from '../../../query/call-conditions.ts'
import { seen } from '../../../query/calls-query.ts'
import {
  derivedIn,
  isBehind,
  isFailedOrAbove,
  isRoot,
  joinThreadsOfTraces,
  notExpired,
  threadsOfCall,
} from '../../../query/derived-conditions.ts'
import { compileFilter, isOfTraces } from '../../../query/compile/compile-filter.ts'
import { countColumns, toModelUsage, usageByKey, type UsageOfKey } from '../../../query/model-usage.ts'
import {
  noSplits,
  priceBand,
  pricedRange,
  pricePart,
  pricePeriod,
  type PriceSplits,
  priceTier,
  type UsedModel,
} from '../../../query/price-splits.ts'
import type { Visibility } from '../../../query/visible-records.ts'
import type { ProjectVisibility } from '../../../deletions/visibility.ts'
import { statColumns, type StatColumns, type StatRow } from '../../../query/stat-columns.ts'
import type { SelectionPreparer } from '../read/prepare-selection.sql.ts'
import type {
  BucketStats,
  CallsStatsStore,
  CountedCalls,
  GroupsScope,
  StatsGrouping,
  StatsScope,
  UsageBucket,
  UsageGrouping,
} from './calls-stats-store.ts'
import { isCounted } from './is-counted.ts'
import { toTraceTotal, type TraceRow, traceTotalsSql, usageOfTraces } from './trace-totals-store.sql.ts'
import type { Aggregation, CallMetric, PaidMetric, Stat, TokenMetric } from './stats-metrics.ts'

interface BucketRow extends StatRow {
  bucket: string
  group_id: string
  count: number
}

interface UsageBucketRow extends BucketRow {
  name_of_model: string
  first_micros: number
  last_micros: number
  least_request: number
  most_request: number
  service_tiers: string[]
  are_priceable: boolean[]
}

/** Whether prices of tokens determine the cost of an entry of a call's reported usage. */
const entryIsPriceable = sql`(usage_parts > 0 OR ifNull(usage_total, 0) = 0)`

const sumOfParts = sql`arrayMap((input, output, read, created) -> input + output + read + created,
  usage.input_tokens, usage.output_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens)`

/** Replaces `pricedRange` if nothing depends on requests. */
const startsAlone = (
  withCosts: boolean,
) => sql`toFloat64(toUnixTimestamp64Micro(min(started_at))) AS first_micros, toFloat64(toUnixTimestamp64Micro(max(started_at))) AS last_micros,
  toFloat64(0) AS least_request, toFloat64(0) AS most_request, [''] AS service_tiers,
  ${withCosts ? sql`groupUniqArray(toBool(${entryIsPriceable}))` : sql`[true]`} AS are_priceable`

const detailSums = detailCounts.map((name) => sql`toFloat64(sum(ifNull(${countColumns[name]}, 0)))`)

const toDetails = (sums: readonly number[]) =>
  Object.fromEntries(detailCounts.map((name, at) => [name, sums[at] ?? 0])) as Record<(typeof detailCounts)[number], number>

/** Usage of one model, with sums in the order of `detailCounts`. */
interface UsedTokensRow extends Omit<UsedModel, 'model'> {
  name: string
  detail_sums: number[]
}

/** Most models whose prices are looked up; any others are treated as unpriced. */
const maxModels = 10_000

const callValues: Record<Exclude<CallMetric, 'error_count'>, Sql> = {
  latency_ms: sql`if(ended_at >= started_at, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000), NULL)`,
  call_count: sql`1`,
}

interface CallsStatsDeps {
  analytical: ScopedAnalytical
  preparer: SelectionPreparer
  visibility: ProjectVisibility
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

export function sqlCallsStatsStore({ analytical, preparer, visibility }: CallsStatsDeps): CallsStatsStore {
  const usageIn = async ({ project, start, end }: Pick<StatsScope, 'project' | 'start' | 'end'>) =>
    derivedIn({ projectId: project.id, start, end, visibility: await visibility.of(project), callId: sql`call_id` })

  /** The conditions of the calls that a query selects in a range. */
  async function selectedSql(scope: Omit<StatsScope, 'buckets' | 'groups'>): Promise<Sql> {
    const { project, filter, query, start, end } = scope
    const range = rangeSql(scope, await visibility.of(project))
    if (query === null) return range
    const all = { filter: null, sort_by: null, limit: null, offset: null, expand_columns: null }
    const prepared = await preparer.prepare(project, { ...all, query, ofTraces: isOfTraces(filter) })
    const places = prepared.query.places(await preparer.statementOf(prepared, { from: start, until: end }))
    return sql`${range} AND (started_at, id) IN (${places})`
  }

  /** The conditions of usage that counts and whose calls a query selects. */
  async function countedIn(scope: Omit<StatsScope, 'buckets' | 'groups'>): Promise<Sql> {
    const range = await usageIn(scope)
    const { trace_roots_only: _, ...filter } = scope.filter ?? {}
    const isWhole = scope.query === null && Object.values(filter).every((part) => part === null)
    if (isWhole) return range
    return sql`${range} AND (started_at, call_id) IN (SELECT started_at, id FROM heddle.calls FINAL WHERE ${await selectedSql(scope)})`
  }

  async function countedGroups({ by, limit, ...scope }: Omit<GroupsScope, 'size'>) {
    const rows = await analytical.of(scope.project).rows<{ key: string; id_of_group: string; total: number }>(
      sql`SELECT ${countedKeys[by]} AS key, ${idOf(sql`key`)} AS id_of_group, toFloat64(count() OVER ()) AS total FROM heddle.usage FINAL
        WHERE ${await countedIn(scope)} GROUP BY key ORDER BY sum(total_tokens) DESC, key LIMIT ${bind('UInt64', limit)}`,
    )
    return { groups: rows.map(({ key, id_of_group: id }) => ({ id, key })), total: rows[0]?.total ?? 0 }
  }

  async function countedBuckets(scope: StatsScope, stats: readonly Stat<TokenMetric | PaidMetric>[], splits: PriceSplits) {
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
    const rows = await analytical.of(scope.project).rows<UsageBucketRow>(
      sql`SELECT ${startOf(scope.buckets)} AS bucket, ${group} AS group_id, toString(model) AS name_of_model, ${pricePeriod(splits, sql`name_of_model`)} AS price_period,
          ${priceBand(splits, sql`name_of_model`)} AS price_band, ${priceTier(splits)} AS price_tier, ${pricePart(splits)} AS price_part, ${pricedRange}, toFloat64(count()) AS count, ${columns.sql}
        FROM heddle.usage FINAL WHERE ${await countedIn(scope)} AND ${chosen} GROUP BY bucket, group_id, name_of_model, price_period, price_band, price_tier, price_part`,
    )
    return rows.map((row) => toUsageBucket(row, columns))
  }

  async function reportedBuckets(scope: StatsScope, stats: readonly Stat<TokenMetric>[], splits: PriceSplits | null) {
    // Only the requested lists: by the column's own name, the engine would read all of it.
    const counts = [...new Set(stats.map(({ metric }) => metric))].map((metric) => sql`, usage.${named(metric)} AS ${named(metric)}`)
    const paid = splits === null ? [] : [sql`, ${sumOfParts} AS usage_parts, usage.total_tokens AS usage_total`]
    const columns = columnsOf(stats, (metric) => sql`${named(metric)}`)
    const rows = await analytical.of(scope.project).rows<UsageBucketRow>(
      sql`SELECT ${startOf(scope.buckets)} AS bucket, ${groupOf(scope)} AS group_id, toString(model) AS name_of_model, ${startsAlone(splits !== null)}, ${splits?.byPriceable === true ? entryIsPriceable : sql`1`} AS price_part, toFloat64(count()) AS count, ${columns.sql}
        FROM heddle.calls FINAL ARRAY JOIN usage.model AS model${scope.groups?.by === 'model' ? sql`, usage.model AS group_model` : sql``}${join([...counts, ...paid], sql``)}
        WHERE ${await selectedSql(scope)} AND ${inGroups(scope)} GROUP BY bucket, group_id, name_of_model, price_part`,
    )
    return rows.map((row) => toUsageBucket(row, columns))
  }

  return {
    async groups({ by, size, limit, ...scope }) {
      if (size === 'tokens' && isCounted(scope)) return countedGroups({ by, limit, ...scope })
      const conditions = size === 'calls' ? callRoots(scope) : sql`notEmpty(usage.model)`
      const rows = await analytical.of(scope.project).rows<{ key: string; id_of_group: string; total: number }>(
        sql`SELECT ${groupKey(by, scope)} AS key, ${idOf(sql`key`)} AS id_of_group, toFloat64(count() OVER ()) AS total FROM heddle.calls FINAL ${joinedGroups({ by, size }, scope)}
          WHERE ${await selectedSql(scope)} AND ${conditions}
          GROUP BY key ORDER BY ${sizeSql({ by, size })} DESC, key LIMIT ${bind('UInt64', limit)}`,
      )
      return { groups: rows.map(({ key, id_of_group: id }) => ({ id, key })), total: rows[0]?.total ?? 0 }
    },
    async usageBuckets(scope, stats, splits) {
      if (isCounted(scope)) return countedBuckets(scope, stats, splits ?? noSplits)
      return reportedBuckets(
        scope,
        stats.filter((stat): stat is Stat<TokenMetric> => !isOfCounted(stat)),
        splits,
      )
    },
    async usageGroups(scope, splits) {
      const key = scope.group_by === null ? sql`''` : usageKey(scope.group_by, scope)
      const rows = sql`FROM heddle.usage FINAL WHERE ${await countedIn({ ...scope, query: null })}`
      const groups = await analytical.of(scope.project).rows<Pick<UsageOfKey, 'usage_of_models'> & { key: string; total: number }>(
        sql`SELECT key_of_usage AS key, toFloat64(count() OVER ()) AS total, usage_of_models FROM (${usageByKey({ key, rows, splits })})
          ORDER BY tokens DESC, key LIMIT ${bind('UInt64', scope.limit)}`,
      )
      return {
        groups: groups.map(({ key, usage_of_models }) => ({ key, usage: usage_of_models.map(toModelUsage) })),
        total: groups[0]?.total ?? 0,
      }
    },
    async countedCalls({ by, keys, ...scope }) {
      if (keys.length === 0) return new Map()
      const counted = await countedIn({ ...scope, query: null })
      const used = sql`SELECT DISTINCT ${usageKey(by, scope)} AS key, started_at, call_id FROM heddle.usage FINAL
        WHERE ${counted} AND key IN ${bind('Array(String)', keys)}`
      const calls = sql`SELECT started_at, id AS call_id, ${isFailed} AS failed, ${callValues.latency_ms} AS latency FROM heddle.calls FINAL
        WHERE ${await selectedSql({ ...scope, query: null })} AND (started_at, id) IN (SELECT started_at, call_id FROM heddle.usage WHERE ${await usageIn(scope)})`
      const rows = await analytical.of(scope.project).rows<CountedCalls & { key: string }>(
        sql`SELECT key, toFloat64(count()) AS count, toFloat64(countIf(failed)) AS errors, quantileExactInclusiveOrNull(0.5)(latency) AS p50_latency_ms,
            quantileExactInclusiveOrNull(0.95)(latency) AS p95_latency_ms
          FROM (${used}) AS used INNER JOIN (${calls}) AS calls USING (started_at, call_id) GROUP BY key`,
      )
      return new Map(rows.map(({ key, ...calls }) => [key, calls]))
    },
    async modelsUsed(scope) {
      const rows = await analytical.of(scope.project).rows<UsedTokensRow>(
        sql`SELECT toString(model) AS name, ${pricedRange}, [${join(detailSums, sql`, `)}] AS detail_sums FROM heddle.usage FINAL
            WHERE ${usageOfTraces(scope, await visibility.of(scope.project))} GROUP BY name LIMIT ${bind('UInt64', maxModels)}`,
      )
      return rows.map(({ name: model, detail_sums: sums, ...used }) => ({ model, ...used, details: toDetails(sums) }))
    },
    async countBehind(project) {
      const { now } = await visibility.of(project)
      const own = sql`project_id = ${bind('String', project.id)}`
      const [row] = await analytical.of(project).rows<{ traces: number }>(
        sql`SELECT toFloat64(count()) AS traces FROM heddle.traces FINAL
          WHERE ${own} AND trace_id IN (SELECT trace_id FROM heddle.traces WHERE ${own} AND ${isBehind(now)}) AND ${isBehind(now)} AND ${notExpired(now)}`,
      )
      return row?.traces ?? 0
    },
    async traceTotals(scope) {
      const rows = await analytical.of(scope.project).rows<TraceRow>(traceTotalsSql(scope, await visibility.of(scope.project)))
      const pricedAs = new Map(scope.prices.flatMap(({ model, pricedAs: name }) => (name === null ? [] : [[model, name] as const])))
      return rows.map((row) => toTraceTotal(row, pricedAs))
    },
    async callBuckets(scope, stats) {
      // A trace whose root succeeded has failed where another of its calls did.
      const failed = isOfTraces(scope.filter) ? isFailedOrAbove(scope.project.id) : isFailed
      const columns = columnsOf(stats, (metric) => (metric === 'error_count' ? sql`toInt64(${failed})` : callValues[metric]))
      const rows = await analytical.of(scope.project).rows<BucketRow>(
        sql`SELECT ${startOf(scope.buckets)} AS bucket, ${groupOf(scope)} AS group_id, toFloat64(count()) AS count, ${columns.sql}
          FROM heddle.calls FINAL ${scope.groups === null ? sql`` : joinedGroups({ by: scope.groups.by, size: 'calls' }, scope)}
          WHERE ${await selectedSql(scope)} AND ${callRoots(scope)} AND ${inGroups(scope)} GROUP BY bucket, group_id`,
      )
      return rows.map((row) => toBucketStats(row, columns))
    },
  }
}

function named(metric: TokenMetric): Param {
  return bind('Identifier', metric)
}

const startOf = (starts: readonly Micros[]) => sql`roundDown(toUnixTimestamp64Micro(started_at), ${bind('Array(Int64)', starts)})`

const tokens = sql`sum(arraySum(usage.input_tokens) + arraySum(usage.output_tokens))`

const groupKeys: Record<StatsGrouping, Sql> = {
  model: sql`toString(group_model)`,
  op: sql`replaceRegexpOne(toString(op_name), '^(weave:///.*):[^:/]*$', '\\\\1')`,
  user: sql`toString(wb_user_id)`,
  thread: sql`ifNull(thread_id, '')`,
}

type Grouping = Pick<Parameters<CallsStatsStore['groups']>[0], 'by' | 'size'>

/** A trace belongs to the thread that its root names, or else to one that another of its calls names. */
const isThreadOfTrace = (by: StatsGrouping, scope: Pick<StatsScope, 'filter'>) => by === 'thread' && isOfTraces(scope.filter)

const groupKey = (by: StatsGrouping, scope: Pick<StatsScope, 'filter'>) =>
  isThreadOfTrace(by, scope) ? sql`arrayElement(${threadsOfCall}, 1)` : groupKeys[by]

/** Joins the threads of traces, or expands each call to a row per model that it used. When calls are counted, a call without a model keeps one row. */
function joinedGroups({ by, size }: Grouping, scope: Pick<StatsScope, 'filter' | 'project'>): Sql {
  if (isThreadOfTrace(by, scope)) return joinThreadsOfTraces(scope.project.id)
  if (by !== 'model') return sql``
  return size === 'calls'
    ? sql`ARRAY JOIN if(empty(usage.model), [''], arrayMap(model -> toString(model), usage.model)) AS group_model`
    : sql`ARRAY JOIN usage.model AS group_model, usage.input_tokens AS group_input_tokens, usage.output_tokens AS group_output_tokens`
}

function sizeSql({ by, size }: Grouping): Sql {
  if (size === 'calls') return sql`count()`
  return by === 'model' ? sql`sum(group_input_tokens + group_output_tokens)` : tokens
}

function groupOf({ groups, ...scope }: StatsScope): Sql {
  return groups === null ? sql`''` : idOf(groupKey(groups.by, scope))
}

function inGroups({ groups, ...scope }: StatsScope): Sql {
  if (groups === null) return sql`1`
  return sql`${idOf(groupKey(groups.by, scope))} IN ${bind(
    'Array(String)',
    groups.groups.map(({ id }) => id),
  )}`
}

/** Keys may be long, and may contain characters that request values must not. */
const idOf = (key: Sql): Sql => sql`hex(sipHash128(${key}))`

function rangeSql({ project, filter, start, end }: Omit<StatsScope, 'buckets' | 'groups' | 'query'>, visible: Visibility): Sql {
  return sql`${join(seen(project.id, visible), sql` AND `)}
    AND ${startedIn({ start, end })} AND ${join([sql`1`, ...compileFilter({ filter: { ...filter, trace_roots_only: null }, ofTraces: isOfTraces(filter), projectId: project.id })], sql` AND `)}`
}

const startedIn = ({ start, end }: Pick<StatsScope, 'start' | 'end'>) =>
  sql`started_at >= fromUnixTimestamp64Micro(${bind('Int64', start)}) AND started_at < fromUnixTimestamp64Micro(${bind('Int64', end)})`

function callRoots({ filter, project }: Pick<StatsScope, 'filter' | 'project'>): Sql {
  return isOfTraces(filter) ? isRoot(project.id) : sql`1`
}

const countedKeys: Record<StatsGrouping, Sql> = {
  model: sql`toString(model)`,
  op: sql`replaceRegexpOne(toString(op_name), '^(weave:///.*):[^:/]*$', '\\\\1')`,
  user: sql`toString(wb_user_id)`,
  thread: sql`thread_id`,
}

function usageKey(by: UsageGrouping, scope: Pick<StatsScope, 'project' | 'start' | 'end'>): Sql {
  if (typeof by === 'object') return sql`toString(${startOf(by.days)})`
  return by === 'status' ? statusOfUse(scope) : countedKeys[by]
}

/** The status of the call that used a model, as filters of calls read it. */
function statusOfUse({ project, start, end }: Pick<StatsScope, 'project' | 'start' | 'end'>): Sql {
  const is = (status: Exclude<CallStatus, 'success'>) => sql`(started_at, call_id) IN (SELECT started_at, id FROM heddle.calls FINAL
    WHERE project_id = ${bind('String', project.id)} AND ${startedIn({ start, end })} AND status = ${bind('String', status)})`
  return sql`multiIf(${is('error')}, 'error', ${is('running')}, 'running', ${is('descendant_error')}, 'descendant_error', 'success')`
}

const isOfCounted = ({ metric }: Stat<TokenMetric | PaidMetric>) => !metric.endsWith('_tokens')

const countedColumns: Record<TokenMetric | PaidMetric, Sql> = {
  cacheReadAudio: sql`ifNull(cache_read_audio_tokens, 0)`,
  cacheReadImage: sql`ifNull(cache_read_image_tokens, 0)`,
  cacheWrite1h: sql`ifNull(cache_write_1h_tokens, 0)`,
  inputAudio: sql`ifNull(input_audio_tokens, 0)`,
  inputImage: sql`ifNull(input_image_tokens, 0)`,
  outputAudio: sql`ifNull(output_audio_tokens, 0)`,
  outputImage: sql`ifNull(output_image_tokens, 0)`,
  reasoning: sql`ifNull(reasoning_tokens, 0)`,
  reported_costs: sql`ifNull(reported_costs, 0)`,
  reported_nanos: sql`ifNull(reported_nanos, 0)`,
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

function toUsageBucket(row: UsageBucketRow, columns: StatColumns): UsageBucket {
  const { name_of_model: model, first_micros, last_micros, least_request, most_request, service_tiers, are_priceable } = row
  return { ...toBucketStats(row, columns), model, first_micros, last_micros, least_request, most_request, service_tiers, are_priceable }
}
