import type { AxisRow, AxisScale, AxisValue, DrawnAxis, RangeEnds } from './axis.ts'
import { compareTexts, placeOf, valueAt } from './axis-scale.ts'

/** Digits of a number that was chosen by its position, at least. */
const leastDigits = 6
/** Digits with which any number is exact. */
const maxDigits = 17

/** Whether a range can be of an axis: one of numbers has no text as an end. */
export const fits = ({ kind }: AxisScale, { from, to }: RangeEnds) =>
  kind === 'text' || (typeof from !== 'string' && typeof to !== 'string')

/** Whether a value is in a range. A missing one is in none. */
export function isInside({ kind }: AxisScale, { from, to }: RangeEnds, value: AxisValue | undefined): boolean {
  if (value === undefined) return false
  const order = (end: AxisValue) => (kind === 'text' ? compareTexts(String(value), String(end)) : Number(value) - Number(end))
  return (from === undefined || order(from) >= 0) && (to === undefined || order(to) <= 0)
}

/** The rows that are inside the ranges of all axes. */
export function keptRows(rows: readonly AxisRow[], axes: readonly DrawnAxis[]): AxisRow[] {
  const limits = axes.filter(({ range }) => range)
  return rows.filter(({ values }) => limits.every(({ id, scale, range }) => !range || isInside(scale, range, values.get(id))))
}

/**
 * The range between two positions of an axis. If no text lies between them, it is the nearest one. A range that reaches an end of the axis is open
 * there.
 */
export function rangeBetween(scale: AxisScale, one: number, other: number): RangeEnds {
  const [low, high] = one < other ? [one, other] : [other, one]
  if (scale.kind === 'text') return withoutOuter(scale, textsBetween(scale, low, high))
  const digits = digitsOf(scale)
  const numberAt = (place: number) => Number(Number(valueAt(scale, place)).toPrecision(digits))
  return { ...(low > 0 && { from: numberAt(low) }), ...(high < 1 && { to: numberAt(high) }) }
}

/** Digits that distinguish ten thousand positions on an axis, whose values may differ by little. */
function digitsOf({ stops }: AxisScale): number {
  const [low, high] = [Number(stops[0]), Number(stops.at(-1))]
  const equalDigits = Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high)) / (high - low)))
  return Number.isNaN(equalDigits) ? leastDigits : Math.min(maxDigits, Math.max(leastDigits, equalDigits + 5))
}

function textsBetween(scale: AxisScale, low: number, high: number): RangeEnds {
  const inside = scale.stops.filter((text) => {
    const place = placeOf(scale, text) ?? -1
    return place >= low && place <= high
  })
  const nearest = valueAt(scale, (low + high) / 2)
  return { from: inside[0] ?? nearest, to: inside.at(-1) ?? nearest }
}

const withoutOuter = ({ stops }: AxisScale, { from, to }: RangeEnds): RangeEnds => ({
  ...(from !== stops[0] && { from }),
  ...(to !== stops.at(-1) && { to }),
})

/** The value at an end of a range: the outermost if it is open. */
export const endAt = ({ stops }: AxisScale, ends: RangeEnds | undefined, end: 'from' | 'to'): AxisValue | undefined =>
  ends?.[end] ?? (end === 'from' ? stops[0] : stops.at(-1))

const steps: Record<string, (count: number) => number> = {
  ArrowUp: () => 1,
  ArrowRight: () => 1,
  ArrowDown: () => -1,
  ArrowLeft: () => -1,
  PageUp: (count) => Math.max(1, Math.round(count / 10)),
  PageDown: (count) => -Math.max(1, Math.round(count / 10)),
  Home: (count) => -count,
  End: (count) => count,
}

/**
 * The range after a key moved one of its ends: arrows by one of the different values, PageUp and PageDown by a tenth of them, Home and End to the
 * outermost. No end passes the other. Undefined for another key.
 */
export function afterKey(scale: AxisScale, ends: RangeEnds | undefined, end: 'from' | 'to', key: string): RangeEnds | undefined {
  const step = steps[key]?.(scale.stops.length)
  if (step === undefined || scale.stops.length === 0) return undefined
  const [below, above] = neighboursOf(scale, endAt(scale, ends, end)!)
  const moved = step > 0 ? above + step - 1 : below + step + 1
  const other = neighboursOf(scale, endAt(scale, ends, end === 'from' ? 'to' : 'from')!)
  // The other end may be between two values.
  const [least, most] = end === 'from' ? [0, other[1] - 1] : [other[0] + 1, scale.stops.length - 1]
  const value = scale.stops[Math.max(least, Math.min(most, moved))]
  return value === undefined
    ? undefined
    : withoutOuter(scale, { from: endAt(scale, ends, 'from'), to: endAt(scale, ends, 'to'), [end]: value })
}

/** Indexes of the next lower and the next higher distinct value; -1 and their number if there is none. */
function neighboursOf(scale: AxisScale, value: AxisValue): [below: number, above: number] {
  const order = (stop: AxisValue) => (scale.kind === 'text' ? compareTexts(String(stop), String(value)) : Number(stop) - Number(value))
  const above = scale.stops.findIndex((stop) => order(stop) > 0)
  return [scale.stops.findLastIndex((stop) => order(stop) < 0), above < 0 ? scale.stops.length : above]
}

export const isOpen = ({ from, to }: RangeEnds) => from === undefined && to === undefined
