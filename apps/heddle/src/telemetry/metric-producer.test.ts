import { resourceFromAttributes } from '@opentelemetry/resources'
import { DataPointType } from '@opentelemetry/sdk-metrics'
import { expect, test } from 'vitest'
import { createMetricRegistry } from '../metrics/registry.ts'
import { metricProducer } from './metric-producer.ts'

async function collected(registry: ReturnType<typeof createMetricRegistry>) {
  const { resourceMetrics } = await metricProducer({ metrics: registry, resource: resourceFromAttributes({}) }).collect()
  const all = resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics)
  return (name: string) => all.find(({ descriptor }) => descriptor.name === name)
}

test('counters, gauges and histograms have the names, labels and values of /metrics', async () => {
  const registry = createMetricRegistry()
  registry.count('requests', 2, { operation: 'calls.start', status: '200' })
  registry.set('ready', 1)
  for (const seconds of [0.0001, 0.02, 1_000]) registry.observe('requestSeconds', seconds, { operation: 'calls.start' })
  registry.observe('requestSeconds', 0.02, { operation: 'calls.end' })
  const find = await collected(registry)

  expect(find('heddle_http_requests_total')).toMatchObject({
    dataPointType: DataPointType.SUM,
    isMonotonic: true,
    dataPoints: [{ value: 2, attributes: { operation: 'calls.start', status: '200' } }],
  })
  expect(find('heddle_ready')).toMatchObject({ dataPointType: DataPointType.GAUGE, dataPoints: [{ value: 1, attributes: {} }] })
  const seconds = find('heddle_http_request_duration_seconds')
  expect(seconds?.descriptor.unit).toBe('s')
  const points = seconds?.dataPointType === DataPointType.HISTOGRAM ? seconds.dataPoints : []
  expect(points.map(({ attributes, value }) => [attributes, value.count, value.sum])).toEqual([
    [{ operation: 'calls.start' }, 3, 1_000.0201],
    [{ operation: 'calls.end' }, 1, 0.02],
  ])
  for (const { value } of points) {
    // One bucket more than ends: that of all greater values.
    expect(value.buckets.counts).toHaveLength(value.buckets.boundaries.length + 1)
    expect(value.buckets.counts.reduce((sum, each) => sum + each, 0)).toBe(value.count)
  }
  expect(points[0]?.value.buckets.counts.at(-1)).toBe(1)
})
