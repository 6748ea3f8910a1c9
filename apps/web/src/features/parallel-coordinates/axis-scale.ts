import { scaleLinear, scaleLog, scalePoint } from 'd3-scale'
import type { AxisScale, AxisValue } from './axis.ts'

/** Different texts that one axis shows. */
export const maxTexts = 30
/** Positive numbers whose highest is more than this times the lowest are on a logarithmic axis. */
const maxLinear = 100

const { compare } = new Intl.Collator('en', { numeric: true })

/** Order of the texts of an axis. 0 for equal texts alone. */
export const compareTexts = (one: string, other: string) => compare(one, other) || (one < other ? -1 : one > other ? 1 : 0)

/** The scale of an axis with these values, of which numbers are finite. */
export function toScale(values: Iterable<AxisValue>): AxisScale {
  const different = [...new Set(values)]
  const numbers = different.filter((value) => typeof value === 'number')
  if (numbers.length < different.length) return { kind: 'text', stops: [...new Set(different.map(String))].toSorted(compareTexts) }
  const stops = numbers.toSorted((one, other) => one - other)
  const [low = 0, high = 0] = [stops[0], stops.at(-1)]
  return { kind: low > 0 && high / low > maxLinear ? 'logarithmic' : 'linear', stops }
}

/**
 * Position of a value, from 0 at the lowest to 1 at the highest; values beyond are at the end. A single value is in the middle. Undefined if it has
 * none.
 */
export function placeOf({ kind, stops }: AxisScale, value: AxisValue | undefined): number | undefined {
  if (value === undefined || stops.length === 0) return undefined
  if (kind === 'text') return scalePoint(stops.map(String), [0, 1])(String(value))
  if (typeof value !== 'number') return undefined
  const [low, high] = endsOf(stops)
  if (low === high) return 0.5
  if (value <= low) return 0
  if (value >= high) return 1
  const { scale, by } = numbersOf(kind, low, high)
  return Math.min(1, Math.max(0, scale(value * by)))
}

/** The number at a position of a numeric axis, or the nearest text. Undefined if the axis has no value. */
export function valueAt({ kind, stops }: AxisScale, place: number): AxisValue | undefined {
  const share = Math.min(1, Math.max(0, place))
  if (kind === 'text') return stops[Math.round(share * (stops.length - 1))]
  if (stops.length === 0) return undefined
  const [low, high] = endsOf(stops)
  if (share === 0) return low
  if (share === 1) return high
  const { scale, by } = numbersOf(kind, low, high)
  return Math.min(high, Math.max(low, scale.invert(share) / by))
}

const endsOf = (stops: readonly AxisValue[]): [low: number, high: number] => [Number(stops[0]), Number(stops.at(-1))]

/** A scale from 0 to 1. Values are multiplied by `by` first: by half where the difference of the ends is not a number. */
function numbersOf(kind: 'linear' | 'logarithmic', low: number, high: number) {
  const by = kind === 'logarithmic' || Number.isFinite(high - low) ? 1 : 0.5
  const scale = kind === 'logarithmic' ? scaleLog([low, high], [0, 1]) : scaleLinear([low * by, high * by], [0, 1])
  return { scale, by }
}
