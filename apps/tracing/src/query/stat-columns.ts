import { bind, join, sql, type Sql } from '@heddle/datastore'

type AnyStat = { kind: 'aggregation' } | { kind: 'percentile'; percentile: number }
type Percentile<F> = Extract<F, { kind: 'percentile' }>
type Aggregation<F> = Extract<F, { kind: 'aggregation' }>

/** A statement's result for the stats of one bucket. */
export interface StatRow {
  aggregates: (number | null)[]
  /** One list for each value with requested percentiles; empty if it has none. */
  percentiles: (number | null)[][]
}

export interface StatColumns {
  /** The columns of `StatRow`. */
  sql: Sql
  /** The stats of a bucket, in the requested order; null if there are no values. */
  read(row: StatRow): (number | null)[]
}

export interface StatSql<F extends AnyStat> {
  aggregate(stat: Aggregation<F>): Sql
  /** Names the value that a percentile is taken of. */
  nameOf(stat: Percentile<F>): string
  valueOf(stat: Percentile<F>): Sql
}

/**
 * Compiles stats to columns. All percentiles of a value are one expression, so that the engine gathers its values once and the statement is short.
 */
export function statColumns<F extends AnyStat>(stats: readonly F[], { aggregate, nameOf, valueOf }: StatSql<F>): StatColumns {
  const aggregates: Sql[] = []
  const groups = new Map<string, { at: number; value: Sql; levels: Sql[] }>()
  const groupOf = (stat: Percentile<F>) => {
    const name = nameOf(stat)
    const group = groups.get(name) ?? { at: groups.size, value: valueOf(stat), levels: [] }
    groups.set(name, group)
    return group
  }
  const readers = stats.map((stat): ((row: StatRow) => number | null | undefined) => {
    if (stat.kind === 'aggregation') {
      const at = aggregates.push(aggregate(stat as Aggregation<F>)) - 1
      return (row) => row.aggregates[at]
    }
    const { at, levels } = groupOf(stat as Percentile<F>)
    const level = levels.push(sql`${bind('Float64', stat.percentile / 100)}`) - 1
    return (row) => row.percentiles[at]?.[level]
  })
  const percentiles = [...groups.values()].map(({ value, levels }) => sql`quantilesExactInclusive(${join(levels, sql`, `)})(${value})`)
  return {
    sql: sql`[${join(aggregates, sql`, `)}] AS aggregates, [${join(percentiles, sql`, `)}] AS percentiles`,
    read: (row) => readers.map((read) => read(row) ?? null),
  }
}
