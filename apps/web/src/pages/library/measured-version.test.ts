import { expect, test } from 'vitest'
import { measuredVersion } from './measured-version.ts'

test.each([
  ['both', 0.5, { trial_count: 4, predict_total_cost: 0.02 }, { latencyMs: 500, costPerTrial: 0.005 }],
  ['no latency', null, { trial_count: 4, predict_total_cost: 0 }, { latencyMs: undefined, costPerTrial: 0 }],
  ['no price', 2, { trial_count: 4, predict_total_cost: null }, { latencyMs: 2_000, costPerTrial: undefined }],
  ['no trial', 2, { trial_count: 0, predict_total_cost: 1 }, { latencyMs: 2_000, costPerTrial: undefined }],
  ['no summary', 2, undefined, { latencyMs: 2_000, costPerTrial: undefined }],
])('a run with %s', (_, latency_seconds, summary, measured) => {
  expect(measuredVersion({ latency_seconds }, summary)).toEqual(measured)
})
