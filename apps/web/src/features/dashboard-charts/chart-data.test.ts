import { expect, test } from 'vitest'
import { type Chart, newChart } from './chart.ts'
import { readCallsChart, readFeedbackChart } from './chart-data.ts'

const [first, second] = ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z']
const chart = (part: Partial<Chart>): Chart => ({ ...newChart('a'), title: 'A', ...part })
const stats = (part: object) => ({ granularity: 3_600, call_buckets: [], usage_buckets: [], ...part })
const cellsOf = (data: ReturnType<typeof readCallsChart>) => data.series.map(({ name, cells }) => [name, cells.map(({ value }) => value)])

test('calls are counted in each part, empty ones included', () => {
  const buckets = [
    { timestamp: first, sum_call_count: 3, count: 3 },
    { timestamp: second, sum_call_count: 0, count: 0 },
  ]
  const data = readCallsChart(chart({}), stats({ call_buckets: buckets }))
  expect(data.times).toEqual([
    { startedAt: first, endedAt: '2026-01-01T01:00:00.000Z' },
    { startedAt: second, endedAt: '2026-01-01T02:00:00.000Z' },
  ])
  expect(cellsOf(data)).toEqual([['Calls', [3, 0]]])
})

test('of no calls no share has failed, and none took any time', () => {
  const buckets = [
    { timestamp: first, sum_error_count: 1, p95_latency_ms: 40, count_latency_ms: 3, count: 4 },
    { timestamp: second, sum_error_count: 0, p95_latency_ms: null, count_latency_ms: 0, count: 0 },
  ]
  const read = (measure: 'error_rate' | 'latency_p95') =>
    readCallsChart(chart({ measure }), stats({ call_buckets: buckets })).series[0]?.cells
  expect(read('error_rate')).toEqual([
    { value: 0.25, of: 4 },
    { value: null, of: 0 },
  ])
  expect(read('latency_p95')).toEqual([
    { value: 40, of: 3 },
    { value: null, of: 0 },
  ])
})

test('groups are series in the order of the answer, and those that are left out are counted', () => {
  const bucket = (timestamp: string, group: string | null, count: number) => ({ timestamp, group, count })
  const call_buckets = [bucket(first, 'b', 2), bucket(first, null, 1), bucket(second, 'b', 0), bucket(second, null, 4)]
  const data = readCallsChart(chart({ by: 'user' }), stats({ call_buckets, groups_left_out: 3 }))
  expect(cellsOf(data)).toEqual([
    ['b', [2, 0]],
    ['no user', [1, 4]],
  ])
  expect(data.leftOut).toBe(3)
})

test('uses of several models are one value, and those without a price are no cost', () => {
  const use = (timestamp: string, model: string, count: number, unpriced_uses: number, sum_total_cost: number) => ({
    timestamp,
    model,
    count,
    unpriced_uses,
    sum_total_cost,
  })
  const usage_buckets = [use(first, 'a', 2, 1, 2), use(first, 'b', 1, 1, 0), use(second, 'a', 1, 1, 0), use(second, 'b', 1, 1, 0)]
  const data = readCallsChart(
    chart({ measure: 'cost' }),
    stats({ usage_buckets, unpriced_usage: { a: 2, b: 2 }, reported_usage: { c: 3 }, priced_as: { a: 'base' } }),
  )
  expect(data.series[0]?.cells).toEqual([
    { value: 2, of: 3 },
    { value: null, of: 2 },
  ])
  expect(data.unpriced).toBe(4)
  expect(data.costSource).toEqual({ pricedAs: ['base'], reported: 3 })
})

test('of many models the eight with the most are drawn', () => {
  const usage_buckets = Array.from({ length: 10 }, (_, at) => ({ timestamp: first, model: `m${at}`, sum_total_tokens: at, count: 1 }))
  const data = readCallsChart(chart({ measure: 'tokens', by: 'model' }), stats({ usage_buckets }))
  expect(data.series.map(({ name }) => name)).toEqual(['m9', 'm8', 'm7', 'm6', 'm5', 'm4', 'm3', 'm2'])
  expect(data.leftOut).toBe(2)
})

test('calls by model are in the order of the answer, with those that used none', () => {
  const call_buckets = [
    { timestamp: first, group: 'small', count: 1, p95_latency_ms: 5, count_latency_ms: 1 },
    { timestamp: first, group: null, count: 9, p95_latency_ms: 1, count_latency_ms: 9 },
  ]
  const data = readCallsChart(chart({ measure: 'latency_p95', by: 'model' }), stats({ call_buckets }))
  expect(cellsOf(data)).toEqual([
    ['small', [5]],
    ['no model', [1]],
  ])
})

test('the mean of a value of feedback is in each part that has one', () => {
  const buckets = [
    { timestamp: first, count_true_output_right: 1, count_false_output_right: 3, count: 4 },
    { timestamp: second, count_true_output_right: 0, count_false_output_right: 0, count: 0 },
  ]
  const data = readFeedbackChart({ type: 't', path: 'output.right', isRate: true }, { granularity: 3_600, buckets })
  expect(data.series).toEqual([
    {
      name: 'output.right',
      cells: [
        { value: 0.25, of: 4 },
        { value: null, of: 0 },
      ],
    },
  ])
})
