import { type Chart, newChart } from '../dashboards/chart/chart.ts'
import type { Grouping } from './costs-search.ts'

const titles = { cost: 'Cost', tokens: 'Tokens' } as const

/** What the costs page shows over time, as a dashboard has it. */
export const chartOfCosts = (measure: 'cost' | 'tokens'): Chart => ({ ...newChart('added'), title: titles[measure], measure })

/** What the costs page shows by groups, as a dashboard has it: one of both measures. */
export const tableOfCosts = (measure: 'cost' | 'tokens', by: Grouping): Chart => ({
  ...chartOfCosts(measure),
  title: `${titles[measure]} by ${by}`,
  by,
  form: 'table',
})
