import type { Interval } from '@heddle/evaluations'

/** The meaning of a number: a share of 1, or any number. */
export interface NumberKind {
  is_rate: boolean
}

/** A number in four significant digits, a rate as a percentage: `0.8333`, `12.5`, `83.3 %`. */
export function formatNumber(value: number, { is_rate }: NumberKind): string {
  if (is_rate) return `${trim((value * 100).toFixed(1))} %`
  if (Math.abs(value) >= 10_000 && Math.abs(value) < 1e15) return String(Math.round(value))
  return String(Number(value.toPrecision(4)))
}

/** A number with its sign: `+1.5`, `-0.2 %`, `0`. */
export function formatDifference(value: number, kind: NumberKind): string {
  const text = formatNumber(value, kind)
  return value > 0 ? `+${text}` : text
}

/** `62 % … 91.4 %`; empty without an interval. */
export function formatInterval(interval: Interval | null, format: (value: number) => string): string {
  return interval === null ? '' : `${format(interval.low)} … ${format(interval.high)}`
}

/** `95 %`. */
export function formatShare(share: number): string {
  return formatNumber(share, { is_rate: true })
}

/** `0.041`, and `< 0.0001` below. */
export function formatProbability(probability: number): string {
  return probability < 0.0001 ? '< 0.0001' : String(Number(probability.toPrecision(2)))
}

function trim(text: string): string {
  const trimmed = text.replace(/\.0$/, '')
  return trimmed === '-0' ? '0' : trimmed
}
