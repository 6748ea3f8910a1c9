import { formatCost, shortCost } from '../../../lib/texts/format-cost.ts'
import { formatDuration, shortDuration } from '../../../lib/time/duration.ts'
import { numberText } from '../../../lib/texts/number-text.ts'
import { compactCount } from '../../../lib/texts/compact-count.ts'
import { additive, type Chart } from '../../../features/dashboard-charts/chart.ts'
import type { Cell } from '../../../features/dashboard-charts/chart-data.ts'

type ChartMeasure = Pick<Chart, 'measure' | 'feedback'>

/** A value of a measure, as text. */
export function valueText({ measure, feedback }: ChartMeasure, value: number): string {
  switch (measure) {
    case 'calls':
    case 'errors':
      return value.toLocaleString('en')
    case 'tokens':
      return `${value.toLocaleString('en')} tokens`
    case 'error_rate':
      return numberText(value, true)
    case 'cost':
      return formatCost(value)
    case 'feedback':
      return numberText(value, feedback?.isRate === true)
    default:
      return formatDuration(value)
  }
}

/** A value of an axis: shorter if the title makes it clear. */
export function axisText(chart: ChartMeasure, value: number, most?: number): string {
  if (chart.measure.startsWith('latency')) return shortDuration(value, most)
  if (chart.measure === 'cost') return shortCost(value)
  return isCount(chart) ? compactCount(value, most) : valueText(chart, value)
}

/** Whether a value is meaningful without the number of its calls. */
export const isCount = ({ measure }: Pick<Chart, 'measure'>) => additive.includes(measure)

/** A value with its number of calls, if that affects its reliability. */
export function cellText(chart: ChartMeasure, { value, of }: Cell): string {
  if (value === null) return chart.measure === 'cost' && of > 0 ? 'No price' : 'no data'
  const text = valueText(chart, value)
  return isCount(chart) ? text : `${text} of ${of.toLocaleString('en')}`
}
