import type { Interval } from '@heddle/evaluations'

/** A number in four significant digits; a rate as a percentage. */
export function numberText(value: number, isRate: boolean): string {
  if (Number.isNaN(value)) return '–'
  if (isRate) return `${Number((value * 100).toFixed(1))} %`
  return Math.abs(value) >= 10_000 && Math.abs(value) < 1e15 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(4)))
}

/** With its sign, and an arrow, so that the direction does not hang on a colour. */
export function changeText(value: number, isRate: boolean): string {
  if (Number.isNaN(value)) return '–'
  if (value === 0) return '= 0'
  return value > 0 ? `▲ +${numberText(value, isRate)}` : `▼ ${numberText(value, isRate)}`
}

export function intervalText(interval: Interval | null | undefined, isRate: boolean): string {
  return interval ? `${numberText(interval.low, isRate)} to ${numberText(interval.high, isRate)}` : 'no interval'
}
