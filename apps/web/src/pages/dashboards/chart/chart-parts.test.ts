import { expect, test } from 'vitest'
import { type Chart, newChart } from '../../../features/dashboard-charts/chart.ts'
import { readCallsChart, readFeedbackChart } from '../../../features/dashboard-charts/chart-data.ts'
import { cellText } from './cell-text.ts'
import { captionOf, leastOf, toChartParts, toSeries } from './chart-parts.ts'

const project = { entity: 'e', project: 'p', id: 'e/p' }
const [first, second] = ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z']
const chart = (part: Partial<Chart>): Chart => ({ ...newChart('a'), title: 'A', ...part })
const stats = (part: object) => ({ granularity: 3_600, call_buckets: [], usage_buckets: [], ...part })

test.each([
  [{ measure: 'calls' }, { value: 1_200, of: 1_200 }, '1,200'],
  [{ measure: 'error_rate' }, { value: 0.25, of: 4 }, '25% of 4'],
  [{ measure: 'latency_p95' }, { value: 1_500, of: 2 }, '1.50 s of 2'],
  [{ measure: 'latency_p95' }, { value: null, of: 0 }, 'no data'],
  [{ measure: 'cost' }, { value: null, of: 3 }, 'No price'],
  [{ measure: 'tokens' }, { value: 5, of: 1 }, '5 tokens'],
  [{ measure: 'feedback', feedback: { type: 't', path: 'x', isRate: false } }, { value: 2.5, of: 3 }, '2.5 of 3'],
] as const)('of the chart %j, %j reads "%s"', (part, cell, text) => expect(cellText(chart(part), cell)).toBe(text))

test('a part names the groups that it has, and leads to the calls of all; one where nothing failed leads nowhere', () => {
  const bucket = (group: string, count: number, sum_error_count: number) => ({ timestamp: first, group, count, sum_error_count })
  const call_buckets = [bucket('a', 2, 1), bucket('b', 0, 0)]
  const failed = chart({ measure: 'errors', by: 'user' })
  const [part] = toChartParts(failed, readCallsChart(failed, stats({ call_buckets })), project)
  expect(part).toMatchObject({
    text: 'a: 1',
    isEmpty: false,
    values: [1, 0],
    link: { search: { status: 'error' } },
  })
  expect(toSeries(failed, readCallsChart(failed, stats({ call_buckets })).series).map(({ name, color }) => [name, color])).toEqual([
    ['a', 'var(--s1)'],
    ['b', 'var(--s2)'],
  ])
  const none = readCallsChart(failed, stats({ call_buckets: [bucket('a', 2, 0)] }))
  expect(toChartParts(failed, none, project)[0]).toMatchObject({ isEmpty: true, text: 'a: 0' })
})

test('the caption says the range and the last value, of stacked bars their whole height', () => {
  const call_buckets = [
    { timestamp: first, group: 'a', count: 2 },
    { timestamp: first, group: 'b', count: 3 },
    { timestamp: second, group: 'a', count: 1 },
    { timestamp: second, group: 'b', count: 0 },
  ]
  const caption = (of: Chart, buckets: typeof call_buckets) => {
    const data = readCallsChart(of, stats({ call_buckets: buckets }))
    return captionOf(of, data, toChartParts(of, data, project))
  }
  expect(caption(chart({ by: 'user' }), call_buckets)).toBe('From 1 to 5.')
  expect(caption(chart({ by: 'user', form: 'line' }), call_buckets)).toBe('From 0 to 3.')
  expect(
    caption(
      chart({ form: 'line' }),
      call_buckets.filter(({ group }) => group === 'a'),
    ),
  ).toBe('From 1 to 2; the last is 1.')
})

test('lines begin at 0, but for values of feedback that are numbers', () => {
  const data = readFeedbackChart(
    { type: 't', path: 'x', isRate: false },
    { granularity: 3_600, buckets: [{ timestamp: first, avg_x: 5, min_x: 5, max_x: 5, count_x: 1, count: 1 }] },
  )
  const feedback = { type: 't', path: 'x', isRate: false }
  expect(leastOf(chart({ measure: 'feedback', feedback }), data)).toBe(5)
  expect(leastOf(chart({ measure: 'feedback', feedback: { ...feedback, isRate: true } }), data)).toBe(0)
})
