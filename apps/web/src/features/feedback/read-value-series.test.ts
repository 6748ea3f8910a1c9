import { expect, test } from 'vitest'
import { metricsOf, readFeedbackCounts, readValueSeries } from './read-value-series.ts'

const paths = [
  { json_path: 'output.is right', value_type: 'boolean' as const },
  { json_path: 'output.score', value_type: 'numeric' as const },
  { json_path: 'output.unused', value_type: 'numeric' as const },
]
const [first, second] = ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z']
const stats = {
  start: first,
  end: '2026-01-01T02:00:00Z',
  granularity: 3_600,
  timezone: 'UTC',
  window_stats: null,
  buckets: [
    {
      timestamp: first,
      count: 4,
      count_true_output_is_right: 1,
      count_false_output_is_right: 3,
      avg_output_score: 0,
      min_output_score: null,
      max_output_score: null,
      count_output_score: 0,
    },
    {
      timestamp: second,
      count: 2,
      count_true_output_is_right: 0,
      count_false_output_is_right: 0,
      avg_output_score: 2,
      min_output_score: 1,
      max_output_score: 3,
      count_output_score: 2,
    },
  ],
}

test('true and false are a rate, numbers a mean with its lowest and highest, and parts without values are no points', () => {
  expect(readValueSeries(paths, stats)).toEqual([
    {
      path: 'output.is right',
      isRate: true,
      points: [{ startedAt: first, endedAt: '2026-01-01T01:00:00.000Z', mean: 0.25, low: 0, high: 1, count: 4 }],
    },
    {
      path: 'output.score',
      isRate: false,
      points: [{ startedAt: second, endedAt: '2026-01-01T02:00:00.000Z', mean: 2, low: 1, high: 3, count: 2 }],
    },
  ])
})

test('feedback is counted in each part, whatever it says', () => {
  expect(readFeedbackCounts(stats).map(({ count }) => count)).toEqual([4, 2])
})

test('rates ask for what is true and false, numbers for their mean', () => {
  expect(metricsOf(paths).map(({ aggregations }) => aggregations[0])).toEqual(['count_true', 'avg', 'avg'])
})
