import { latencyMeasure, tokensMeasure } from '@heddle/evaluations'
import { formatDuration } from '../../lib/time/duration.ts'
import { numberText, pointsText, roundChange } from '../../lib/texts/number-text.ts'

/** Of latency and tokens less is better. */
export const isLowerBetter = (name: string) => name === latencyMeasure || name === tokensMeasure

/** The title of a measure. */
export const measureTitle = (name: string) => (name === latencyMeasure ? 'Latency' : name === tokensMeasure ? 'Tokens' : name)

/** A value of a measure with its unit. NaN means none. */
export function measureText(name: string, value: number, isRate: boolean): string {
  if (Number.isNaN(value)) return '–'
  if (name === latencyMeasure) return value < 0 ? `-${formatDuration(-value * 1_000)}` : formatDuration(value * 1_000)
  if (name === tokensMeasure) return Math.round(value).toLocaleString('en')
  return numberText(value, isRate)
}

/** How much a value of a measure is above or below another, without its sign: of rates in percentage points. */
export const sizeText = (name: string, difference: number, isRate: boolean): string =>
  isRate ? `${pointsText(difference)} pp` : measureText(name, isLowerBetter(name) ? Math.abs(difference) : roundChange(difference), false)

/** The difference with its sign, and an arrow, so that the direction does not hang on a colour. */
export function differenceText(name: string, difference: number, isRate: boolean): string {
  if (Number.isNaN(difference)) return '–'
  if (difference === 0) return '= 0'
  return `${difference > 0 ? '▲ +' : '▼ −'}${sizeText(name, difference, isRate)}`
}

/** An end of the interval of a difference, with its sign; of rates in percentage points. */
export const signedText = (name: string, difference: number, isRate: boolean): string =>
  `${difference > 0 ? '+' : difference < 0 ? '−' : ''}${sizeText(name, difference, isRate).replace(' pp', '')}`
