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

/** The size of a change in the digits of the values that differ: three of them, and of less than 1 at most as many decimals. */
export function roundChange(change: number): number {
  const size = Math.abs(change)
  if (size >= 100) return size
  return Number(size < 0.001 ? size.toPrecision(3) : Number(size.toPrecision(3)).toFixed(3))
}

/** The size of the change of a rate, in percentage points. */
export const pointsText = (change: number): string => String(Number((Math.abs(change) * 100).toFixed(1)))

export function intervalText(interval: Interval | null | undefined, isRate: boolean): string {
  return interval ? `${numberText(interval.low, isRate)} to ${numberText(interval.high, isRate)}` : 'no interval'
}
