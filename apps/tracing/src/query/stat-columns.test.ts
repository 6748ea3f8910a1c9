import { render, sql } from '@heddle/datastore'
import { expect, test } from 'vitest'
import { statColumns } from './stat-columns.ts'

const percentile = (metric: string, percentile: number) => ({ kind: 'percentile' as const, metric, percentile })
const sum = (metric: string) => ({ kind: 'aggregation' as const, metric })

const compile = (stats: (ReturnType<typeof percentile> | ReturnType<typeof sum>)[]) =>
  statColumns(stats, { aggregate: () => sql`sum(v)`, nameOf: ({ metric }) => metric, valueOf: () => sql`v` })

test('however many percentiles are requested, the engine keeps one state for each value, and each level is in the statement once', () => {
  const many = Array.from({ length: 50 }, (_, index) => ['a', 'b', 'c'].map((metric) => percentile(metric, index))).flat()
  const { text, params } = render(compile(many).sql)
  expect(text.match(/quantilesExactInclusive/g)).toHaveLength(3)
  expect(Object.keys(params)).toHaveLength(150)
})

test('stats are read in the order in which they were requested, and null where a value is nowhere', () => {
  const { read } = compile([percentile('a', 50), sum('a'), percentile('b', 1), percentile('a', 99), sum('b')])
  const row = { aggregates: [7, 8], percentiles: [[50, 99], []] }
  expect(read(row)).toEqual([50, 7, null, 99, 8])
})
