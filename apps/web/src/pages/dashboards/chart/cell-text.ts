import { formatCost } from '../../../components/format-cost.ts'
import { formatDuration } from '../../../components/duration.ts'
import { numberText } from '../../evaluations/charts/number-text.ts'
import { additive, type Chart } from './chart.ts'
import type { Cell } from './chart-data.ts'

type Measured = Pick<Chart, 'measure' | 'feedback'>

/** A value of a measure for a person. */
export function valueText({ measure, feedback }: Measured, value: number): string {
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

/** Whether a value says by itself of how much it is. */
export const isCount = ({ measure }: Pick<Chart, 'measure'>) => additive.includes(measure)

/** A value with what it is made of, where that says how far it can be trusted. */
export function cellText(chart: Measured, { value, of }: Cell): string {
  if (value === null) return chart.measure === 'cost' && of > 0 ? 'no known price' : 'no data'
  const text = valueText(chart, value)
  return isCount(chart) ? text : `${text} of ${of.toLocaleString('en')}`
}
