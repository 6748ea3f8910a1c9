import { newChart } from './chart.ts'

const chart = newChart('added')

/** The charts of the project's home, for a dashboard. Latency is only p95. */
export const chartsOfHome = {
  traces: { ...chart, title: 'Traces', measure: 'calls' },
  latency: { ...chart, title: 'Latency p95', measure: 'latency_p95' },
  cost: { ...chart, title: 'Cost', measure: 'cost' },
} as const
