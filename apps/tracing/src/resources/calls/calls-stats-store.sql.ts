import { bind, join, sql, type Analytical, type Param, type Sql } from '@heddle/datastore'
import { seen } from '../../query/calls-query.ts'
import { compileFilter } from '../../query/compile-filter.ts'
import type { BucketFigures, CallsStatsStore, StatsScope } from './calls-stats-store.ts'
import type { Aggregation, CallMetric, Figure, TokenMetric } from './stats-metrics.ts'

interface BucketRow {
  bucket: string
  count: number
  figures: (number | null)[]
}

const callValues: Record<CallMetric, Sql> = {
  latency_ms: sql`if(ended_at >= started_at, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000), NULL)`,
  call_count: sql`1`,
  error_count: sql`toInt64(ifNull(exception, '') != '')`,
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

export function sqlCallsStatsStore(analytical: Analytical): CallsStatsStore {
  return {
    async usageBuckets(scope, figures) {
      // Only the lists that are asked for: by its own name, the engine would read all of the column.
      const counts = [...new Set(figures.map(({ metric }) => metric))].map((metric) => sql`, usage.${named(metric)} AS ${named(metric)}`)
      const rows = await analytical.rows<BucketRow & { model: string }>(
        sql`SELECT ${bucketOf(scope)} AS bucket, model, ${figuresSql(figures, (metric) => sql`${named(metric)}`)}
          FROM heddle.calls FINAL ARRAY JOIN usage.model AS model${join(counts, sql``)}
          WHERE ${scopeSql(scope)} AND ${usageRoots(scope)} GROUP BY bucket, model`,
      )
      return rows.map((row) => ({ ...toFigures(row), model: row.model }))
    },
    async callBuckets(scope, figures) {
      const rows = await analytical.rows<BucketRow>(
        sql`SELECT ${bucketOf(scope)} AS bucket, ${figuresSql(figures, (metric) => callValues[metric])}
          FROM heddle.calls FINAL WHERE ${scopeSql(scope)} AND ${callRoots(scope)} GROUP BY bucket`,
      )
      return rows.map(toFigures)
    },
  }
}

function named(metric: TokenMetric): Param {
  return bind('Identifier', metric)
}

function bucketOf({ buckets }: StatsScope): Sql {
  return sql`roundDown(toUnixTimestamp64Micro(started_at), ${bind('Array(Int64)', buckets)})`
}

function scopeSql({ project, filter, start, end, now }: StatsScope): Sql {
  return sql`${join(seen({ project_id: project.id, now }), sql` AND `)}
    AND started_at >= fromUnixTimestamp64Micro(${bind('Int64', start)}) AND started_at < fromUnixTimestamp64Micro(${bind('Int64', end)})
    AND ${join([sql`1`, ...compileFilter({ filter: { ...filter, trace_roots_only: null }, projectId: project.id })], sql` AND `)}`
}

function callRoots({ filter }: StatsScope): Sql {
  return filter?.trace_roots_only === true ? sql`parent_id = ''` : sql`1`
}

/** Spans from OpenTelemetry count beside the roots: their parents do not roll their usage up. */
function usageRoots({ filter }: StatsScope): Sql {
  return filter?.trace_roots_only === true ? sql`(parent_id = '' OR otel != '')` : sql`1`
}

function figuresSql<M extends string>(figures: readonly Figure<M>[], valueOf: (metric: M) => Sql): Sql {
  const columns = figures.map((figure) => {
    const value = valueOf(figure.metric)
    return sql`toFloat64(${figure.kind === 'aggregation' ? aggregates[figure.aggregation](value) : percentile(figure, figures, value)})`
  })
  return sql`toFloat64(count()) AS count, ${columns.length === 0 ? sql`[]` : sql`[${join(columns, sql`, `)}]`} AS figures`
}

/** All percentiles of a metric are asked for in the same words, so that the engine gathers its values once. NaN, which it writes as null, where there are none. */
function percentile<M extends string>(figure: Figure<M> & { kind: 'percentile' }, figures: readonly Figure<M>[], value: Sql): Sql {
  const asked = figures.flatMap((other) => (other.kind === 'percentile' && other.metric === figure.metric ? [other.percentile] : []))
  const levels = asked.map((percentile) => sql`${bind('Float64', percentile / 100)}`)
  return sql`quantilesExactInclusive(${join(levels, sql`, `)})(${value})[${bind('UInt64', asked.indexOf(figure.percentile) + 1)}]`
}

function toFigures({ bucket, count, figures }: BucketRow): BucketFigures {
  return { bucket: Number(bucket), count, figures }
}
