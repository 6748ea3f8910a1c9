import { type Chart, newChart } from './chart.ts'
import type { Grouping } from '../costs/costs-search.ts'

const titles = { cost: 'Cost', tokens: 'Tokens' } as const

/** The chart of the costs page, for a dashboard. */
export const chartOfCosts = (measure: 'cost' | 'tokens'): Chart => ({ ...newChart('added'), title: titles[measure], measure })

/** The grouped table of the costs page, for a dashboard: one of its two measures. */
export const tableOfCosts = (measure: 'cost' | 'tokens', by: Grouping): Chart => ({
  ...chartOfCosts(measure),
  title: `${titles[measure]} by ${by}`,
  by,
  form: 'table',
})
