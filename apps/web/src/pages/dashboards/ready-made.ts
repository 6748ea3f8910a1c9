import { type Chart, newChart } from './chart/chart.ts'
import type { Dashboard } from './stored-dashboard.ts'

const chart = (id: string, part: Partial<Chart>): Chart => ({ ...newChart(id), ...part })

/** A dashboard for a project that has none: how much was done, how well, how fast and at which cost. */
export const readyMade: Dashboard = {
  name: 'Overview',
  charts: [
    chart('traces', { title: 'Traces', measure: 'calls' }),
    chart('failed', { title: 'Traces that failed', measure: 'error_rate', form: 'line' }),
    chart('latency', { title: 'Latency by op, 95th percentile', measure: 'latency_p95', level: 'all', by: 'op', form: 'line' }),
    chart('calls', { title: 'Calls by op', measure: 'calls', level: 'all', by: 'op' }),
    chart('tokens', { title: 'Tokens by model', measure: 'tokens', by: 'model' }),
    chart('cost', { title: 'Cost by op', measure: 'cost', by: 'op', form: 'table' }),
  ],
  unread: [],
}
