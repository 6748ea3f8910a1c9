import type { Interval } from '@heddle/evaluations'

/** A number in four significant digits, or three below 1; a rate as a percentage. */
export function numberText(value: number, isRate: boolean): string {
  if (Number.isNaN(value)) return '–'
  if (isRate) return `${Number((value * 100).toFixed(1))}%`
  const size = Math.abs(value)
  return size >= 10_000 && size < 1e15 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(size < 1 ? 3 : 4)))
}

/** The same in a column of a table: with equally many decimals as its neighbours, so that they are read from above to below. */
export function columnText(value: number, isRate: boolean): string {
  const size = Math.abs(value)
  if (isRate && !Number.isNaN(value)) return `${(value * 100).toFixed(1)}%`
  return size < 1_000 && (size >= 0.001 || size === 0) ? value.toFixed(3) : numberText(value, false)
}

/**
 * With its sign, and an arrow, so that the direction does not depend on color. The change of a rate is in points: from 50% to 60% it is 10 points.
 */
export function changeText(value: number, isRate: boolean): string {
  if (Number.isNaN(value)) return '–'
  if (value === 0) return '= 0'
  return value > 0 ? `▲ +${differenceText(value, isRate)}` : `▼ ${differenceText(value, isRate)}`
}

export function intervalText(interval: Interval | null | undefined, isRate: boolean): string {
  return interval ? `${numberText(interval.low, isRate)} to ${numberText(interval.high, isRate)}` : 'no interval'
}

/** The interval of a difference. */
export function changeIntervalText(interval: Interval | null | undefined, isRate: boolean): string {
  if (!interval) return 'no interval'
  return isRate ? `${points(interval.low)} to ${points(interval.high)} points` : intervalText(interval, false)
}

const points = (value: number) => Number((value * 100).toFixed(1))
const differenceText = (value: number, isRate: boolean) => (isRate ? `${points(value)} points` : numberText(value, false))
