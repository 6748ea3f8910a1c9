import { Counter, Gauge, Histogram, openMetricsContentType, type OpenMetricsContentType, Registry } from 'prom-client'
import { type MetricDeclaration, type MetricKey, metrics } from './declarations.ts'

/** A value with its labels. */
export interface Sample {
  value: number
  labels?: Readonly<Record<string, string>>
}

/** Values that a collection has read, by metric. Metrics that are absent keep their samples. */
export type Readings = Partial<Record<MetricKey, readonly Sample[]>>

/** A metric with its values. A histogram has the counts of its buckets up to their ends, and `_sum` and `_count`, by `metricName`. */
export interface ReadMetric {
  name: string
  help: string
  type: MetricDeclaration['type']
  values: readonly { value: number; labels: Readonly<Record<string, string>>; metricName?: string }[]
}

/** Holds the values of all metrics. */
export interface MetricRegistry {
  readonly contentType: string
  /** Adds to a counter. */
  count(key: MetricKey, amount?: number, labels?: Sample['labels']): void
  /** Sets a gauge. */
  set(key: MetricKey, value: number): void
  /** Adds a value to a histogram. */
  observe(key: MetricKey, value: number, labels?: Sample['labels']): void
  /** Replaces all earlier values of these metrics. */
  replace(readings: Readings): void
  read(): Promise<ReadMetric[]>
  /** The text of OpenMetrics. */
  text(): Promise<string>
}

export function createMetricRegistry(): MetricRegistry {
  const registry = new Registry<OpenMetricsContentType>()
  registry.setContentType(openMetricsContentType)
  const counters = new Map<MetricKey, Counter>()
  const gauges = new Map<MetricKey, Gauge>()
  const histograms = new Map<MetricKey, Histogram>()
  for (const [key, declaration] of Object.entries(metrics) as [MetricKey, MetricDeclaration][]) {
    const { name, help, labels, type, buckets = [] } = declaration
    const common = { name, help, labelNames: [...labels], registers: [registry] }
    if (type === 'counter') counters.set(key, new Counter(common))
    else if (type === 'gauge') gauges.set(key, new Gauge(common))
    else histograms.set(key, new Histogram({ ...common, buckets: [...buckets] }))
  }
  for (const key of gauges.keys()) clearGauge(key)

  return {
    contentType: registry.contentType,
    count: (key, amount = 1, labels = {}) => metricOf(counters, key).inc(labels, amount),
    set: (key, value) => metricOf(gauges, key).set(value),
    observe: (key, value, labels = {}) => metricOf(histograms, key).observe(labels, value),
    replace(readings) {
      for (const [key, samples] of Object.entries(readings) as [MetricKey, readonly Sample[]][]) replaceSamples(key, samples)
    },
    async read() {
      const all = (await registry.getMetricsAsJSON()) as unknown as readonly Pick<ReadMetric, 'name' | 'values'>[]
      const valuesOf = new Map(all.map(({ name, values }) => [name, values]))
      return Object.values(metrics).map(({ name, help, type }: MetricDeclaration) => ({
        name,
        help,
        type,
        values: valuesOf.get(name) ?? [],
      }))
    },
    text: () => registry.metrics(),
  }

  function replaceSamples(key: MetricKey, samples: readonly Sample[]): void {
    const counter = counters.get(key)
    if (counter) {
      counter.reset()
      for (const { value, labels = {} } of samples) counter.inc(labels, value)
      return
    }
    clearGauge(key)
    for (const { value, labels = {} } of samples) metricOf(gauges, key).set(labels, value)
  }

  function clearGauge(key: MetricKey): void {
    const gauge = metricOf(gauges, key)
    gauge.reset()
    // After a reset, a gauge without labels has the value 0, although it was never set.
    if (metrics[key].labels.length === 0) gauge.remove()
  }
}

function metricOf<Metric>(all: ReadonlyMap<MetricKey, Metric>, key: MetricKey): Metric {
  const metric = all.get(key)
  if (metric === undefined) throw new Error(`metric ${metrics[key].name} is a ${metrics[key].type}`)
  return metric
}
