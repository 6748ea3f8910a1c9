import { expect, test } from 'vitest'
import { createMetricRegistry } from './registry.ts'
import { trainingMetrics } from './training-metrics.ts'

test('requests of the Tinker API that are not traced are counted by the reason', async () => {
  const registry = createMetricRegistry()
  const { onUntraced } = trainingMetrics(registry)
  onUntraced('full', 1)
  onUntraced('full', 1)
  onUntraced('failed', 100)
  const lines = (await registry.text()).split('\n').filter((line) => line.startsWith('heddle_training_untraced_requests_total{'))
  expect(lines).toEqual([
    'heddle_training_untraced_requests_total{reason="full"} 2',
    'heddle_training_untraced_requests_total{reason="failed"} 100',
  ])
})
