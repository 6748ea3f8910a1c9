import { type HrTime, ValueType } from '@opentelemetry/api'
import { hrTime } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { ReadMetric } from '../metrics/registry.ts'
import { version } from '../settings/version.ts'
import type { TelemetryParts } from './telemetry.ts'

/** The metrics of `/metrics` by the same names, as OpenTelemetry has them. */
export function metricProducer({ metrics, resource }: Pick<TelemetryParts, 'metrics'> & { resource: Resource }): MetricProducer {
  const startTime = hrTime()
  return {
    async collect() {
      const read = await metrics.read()
      const endTime = hrTime()
      const scope = { name: 'heddle', version }
      return {
        resourceMetrics: {
          resource,
          scopeMetrics: [{ scope, metrics: read.map((metric) => toMetricData(metric, { startTime, endTime })) }],
        },
        errors: [],
      }
    },
  }
}

interface Period {
  startTime: HrTime
  endTime: HrTime
}

function toMetricData({ name, help, type, values }: ReadMetric, period: Period): MetricData {
  const common = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const points = () => values.map(({ labels, value }) => ({ ...period, attributes: labels, value }))
  if (type === 'histogram') return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: toHistograms(values, period) }
  if (type === 'counter') return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }
  return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: points() }
}

/** By the conventions of Prometheus the unit is in the name. */
function unitOf(name: string): string {
  if (/_seconds(_|$)/.test(name)) return 's'
  return /_bytes(_|$)/.test(name) ? 'By' : ''
}

/** Buckets of Prometheus count all values up to their end, those of OpenTelemetry the values between two ends. */
function toHistograms(values: ReadMetric['values'], period: Period): DataPoint<Histogram>[] {
  const series = new Map<string, ReadMetric['values'][number][]>()
  for (const value of values) {
    const { le: _le, ...labels } = value.labels
    const key = JSON.stringify(Object.entries(labels).toSorted())
    series.set(key, [...(series.get(key) ?? []), value])
  }
  return [...series.values()].map((own) => {
    const numberOf = (suffix: string) => own.find(({ metricName }) => metricName?.endsWith(suffix) === true)?.value ?? 0
    const buckets = own.filter(({ metricName }) => metricName?.endsWith('_bucket') === true)
    const boundaries = buckets.map(({ labels }) => Number(labels['le'])).filter(Number.isFinite)
    const counts = buckets.map(({ value }, at) => value - (buckets[at - 1]?.value ?? 0))
    const { le: _le, ...attributes } = own[0]?.labels ?? {}
    return { ...period, attributes, value: { buckets: { boundaries, counts }, sum: numberOf('_sum'), count: numberOf('_count') } }
  })
}
