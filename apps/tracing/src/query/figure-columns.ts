import { bind, join, sql, type Sql } from '@heddle/datastore'

type AnyFigure = { kind: 'aggregation' } | { kind: 'percentile'; percentile: number }
type Percentile<F> = Extract<F, { kind: 'percentile' }>
type Aggregation<F> = Extract<F, { kind: 'aggregation' }>

/** What a statement answers for the figures of one bucket. */
export interface FigureRow {
  aggregates: (number | null)[]
  /** One list for each value of which percentiles are asked for; empty where it has none. */
  percentiles: (number | null)[][]
}

export interface FigureColumns {
  /** The columns of `FigureRow`. */
  sql: Sql
  /** The figures of a bucket, in the order in which they were asked for; null where there are no values. */
  read(row: FigureRow): (number | null)[]
}

export interface FigureSql<F extends AnyFigure> {
  aggregate(figure: Aggregation<F>): Sql
  /** Names the value that a percentile is taken of. */
  nameOf(figure: Percentile<F>): string
  valueOf(figure: Percentile<F>): Sql
}

/** Compiles figures to columns. All percentiles of a value are one expression, so that the engine gathers its values once and the statement stays short. */
export function figureColumns<F extends AnyFigure>(figures: readonly F[], { aggregate, nameOf, valueOf }: FigureSql<F>): FigureColumns {
  const aggregates: Sql[] = []
  const groups = new Map<string, { at: number; value: Sql; levels: Sql[] }>()
  const groupOf = (figure: Percentile<F>) => {
    const name = nameOf(figure)
    const group = groups.get(name) ?? { at: groups.size, value: valueOf(figure), levels: [] }
    groups.set(name, group)
    return group
  }
  const readers = figures.map((figure): ((row: FigureRow) => number | null | undefined) => {
    if (figure.kind === 'aggregation') {
      const at = aggregates.push(aggregate(figure as Aggregation<F>)) - 1
      return (row) => row.aggregates[at]
    }
    const { at, levels } = groupOf(figure as Percentile<F>)
    const level = levels.push(sql`${bind('Float64', figure.percentile / 100)}`) - 1
    return (row) => row.percentiles[at]?.[level]
  })
  const percentiles = [...groups.values()].map(({ value, levels }) => sql`quantilesExactInclusive(${join(levels, sql`, `)})(${value})`)
  return {
    sql: sql`[${join(aggregates, sql`, `)}] AS aggregates, [${join(percentiles, sql`, `)}] AS percentiles`,
    read: (row) => readers.map((read) => read(row) ?? null),
  }
}
