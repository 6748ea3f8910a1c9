import { type Chart, newChart } from '../../features/dashboard-charts/chart.ts'
import type { Dashboard } from './stored-dashboard.ts'

const chart = (id: string, part: Partial<Chart>): Chart => ({ ...newChart(id), ...part })

/** Dashboards to begin with: what they are called, and their charts. */
export const templates: readonly Dashboard[] = [
  {
    name: 'Overview',
    charts: [
      chart('traces-sum', { title: 'Traces', measure: 'calls', form: 'number' }),
      chart('rate', { title: 'Error rate', measure: 'error_rate', form: 'number' }),
      chart('p95', { title: 'Latency p95', measure: 'latency_p95', form: 'number' }),
      chart('spent', { title: 'Cost', measure: 'cost', form: 'number' }),
      chart('traces', { title: 'Traces over time', measure: 'calls' }),
      chart('failed', { title: 'Failed traces', measure: 'error_rate', form: 'line' }),
      chart('tokens', { title: 'Tokens by model', measure: 'tokens', by: 'model' }),
      chart('calls', { title: 'Calls by operation', measure: 'calls', level: 'all', by: 'op' }),
    ],
    unread: [],
  },
  {
    name: 'Latency and failures',
    charts: [
      chart('p50', { title: 'Latency p50 by operation', measure: 'latency_p50', level: 'all', by: 'op', form: 'line' }),
      chart('p95', { title: 'Latency p95 by operation', measure: 'latency_p95', level: 'all', by: 'op', form: 'line' }),
      chart('errors', { title: 'Failed calls by operation', measure: 'errors', level: 'all', by: 'op' }),
      chart('rates', { title: 'Error rate by operation', measure: 'error_rate', level: 'all', by: 'op', form: 'table' }),
    ],
    unread: [],
  },
  {
    name: 'Tokens and cost',
    charts: [
      chart('cost', { title: 'Cost by model', measure: 'cost', by: 'model' }),
      chart('tokens', { title: 'Tokens by model', measure: 'tokens', by: 'model' }),
      chart('users', { title: 'Cost by user', measure: 'cost', by: 'user', form: 'table' }),
      chart('ops', { title: 'Cost by operation', measure: 'cost', by: 'op', form: 'table' }),
    ],
    unread: [],
  },
]
