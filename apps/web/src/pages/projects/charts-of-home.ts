import { newChart } from '../dashboards/chart/chart.ts'

const chart = newChart('added')

/** The charts of the project's home as a dashboard has them. Of the latency it has the 95th percentile, without the median. */
export const chartsOfHome = {
  traces: { ...chart, title: 'Traces', measure: 'calls' },
  failed: { ...chart, title: 'Traces that failed', measure: 'error_rate' },
  latency: { ...chart, title: 'Latency, 95th percentile', measure: 'latency_p95' },
  cost: { ...chart, title: 'Cost', measure: 'cost' },
} as const
