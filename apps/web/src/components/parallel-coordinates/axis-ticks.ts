import { type AxisOffer, valueText, type AxisScale } from './axis.ts'
import { placeOf } from './axis-scale.ts'

export interface AxisTick {
  place: number
  text: string
}

/** Texts that are written beside an axis; of more, every second. */
const maxTextTicks = 15
const innerTicks = 4
/** Ticks that are nearer to an end of the axis are left out, so that their texts do not meet. */
const leastGap = 0.09

/** What is written beside an axis: its ends, and round numbers or texts between them. */
export function ticksOf(scale: AxisScale, axis: Pick<AxisOffer, 'text'>): AxisTick[] {
  const { kind, stops } = scale
  const toTick = (value: number | string): AxisTick => ({ place: placeOf(scale, value) ?? 0, text: valueText(axis, value) })
  if (kind === 'text') return stops.filter((_, at) => stops.length <= maxTextTicks || at % 2 === 0).map(toTick)
  if (stops.length <= 1) return stops.map(toTick)
  const [low, high] = [Number(stops[0]), Number(stops.at(-1))]
  const between = (kind === 'linear' ? roundNumbers(low, high) : powersOfTen(low, high)).map(toTick)
  const inner = between.filter(({ place }) => place >= leastGap && place <= 1 - leastGap)
  return [toTick(low), ...inner, toTick(high)]
}

function roundNumbers(low: number, high: number): number[] {
  const least = high / innerTicks - low / innerTicks
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least) ?? least
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.max(0, Math.min(2 * innerTicks, Math.floor(high / step) - first + 1)) }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  )
}

function powersOfTen(low: number, high: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(low)), Math.floor(Math.log10(high))]
  const every = Math.max(1, Math.ceil((last - first + 1) / 6))
  return Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, at) => Number(`1e${first + at * every}`))
}
