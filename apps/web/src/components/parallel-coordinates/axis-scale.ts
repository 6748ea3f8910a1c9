import type { AxisScale, AxisValue } from './axis.ts'

/** Different texts that one axis shows. */
export const maxTexts = 30
/** Positive numbers whose highest is more than this times the lowest are on a logarithmic axis. */
const mostLinear = 100

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
  return { kind: low > 0 && high / low > mostLinear ? 'logarithmic' : 'linear', stops }
}

/** Where a value is, from 0 at the lowest to 1 at the highest; what is beyond is at the end. A single value is in the middle. Undefined without a place. */
export function placeOf({ kind, stops }: AxisScale, value: AxisValue | undefined): number | undefined {
  if (value === undefined || stops.length === 0) return undefined
  if (kind === 'text') {
    const at = stops.indexOf(String(value))
    return at < 0 ? undefined : stops.length === 1 ? 0.5 : at / (stops.length - 1)
  }
  if (typeof value !== 'number') return undefined
  const [low, high] = [Number(stops[0]), Number(stops.at(-1))]
  if (low === high) return 0.5
  if (value <= low) return 0
  if (value >= high) return 1
  const [from, at, to] = kind === 'linear' ? inReach(low, value, high) : [Math.log(low), Math.log(value), Math.log(high)]
  return Math.min(1, Math.max(0, (at - from) / (to - from)))
}

/** The same in smaller numbers where the difference of the ends is no number. */
const inReach = (low: number, value: number, high: number): [number, number, number] =>
  Number.isFinite(high - low) ? [low, value, high] : [low / 2, value / 2, high / 2]

/** The number at a place of an axis of numbers, or the text that is nearest to it. Undefined where the axis has no value. */
export function valueAt({ kind, stops }: AxisScale, place: number): AxisValue | undefined {
  const share = Math.min(1, Math.max(0, place))
  if (kind === 'text') return stops[Math.round(share * (stops.length - 1))]
  if (stops.length === 0) return undefined
  const [low, high] = [Number(stops[0]), Number(stops.at(-1))]
  if (share === 0) return low
  if (share === 1) return high
  const between = (from: number, to: number) => from * (1 - share) + to * share
  const value = kind === 'linear' ? between(low, high) : Math.exp(between(Math.log(low), Math.log(high)))
  return Math.min(high, Math.max(low, value))
}
