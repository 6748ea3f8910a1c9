import { scaleLinear, scaleLog } from 'd3-scale'
import { ticksOf as roundTicksOf } from '../../plot/ticks.ts'
import { type AxisOffer, valueText, type AxisScale } from './axis.ts'
import { placeOf } from './axis-scale.ts'

export interface AxisTick {
  place: number
  text: string
}

/** Most texts next to an axis; if there are more, every second one is shown. */
const maxTextTicks = 15
/** Approximate number of round numbers between the ends of a linear axis, and most powers of ten on a logarithmic one. */
const innerTicks = 2
const maxPowers = 6
/** Ticks closer to an end of the axis are omitted, so that their labels do not overlap. */
const leastGap = 0.09

/** Labels of an axis: its ends, and round numbers or texts between them. */
export function ticksOf(scale: AxisScale, axis: Pick<AxisOffer, 'text'>): AxisTick[] {
  const { kind, stops } = scale
  const toTick = (value: number | string): AxisTick => ({ place: placeOf(scale, value) ?? 0, text: valueText(axis, value) })
  if (kind === 'text') return stops.filter((_, at) => stops.length <= maxTextTicks || at % 2 === 0).map(toTick)
  if (stops.length <= 1) return stops.map(toTick)
  const [low, high] = [Number(stops[0]), Number(stops.at(-1))]
  const between = roundNumbers(kind, low, high).map(toTick)
  const inner = between.filter(({ place }) => place >= leastGap && place <= 1 - leastGap)
  return [toTick(low), ...inner, toTick(high)]
}

function roundNumbers(kind: 'linear' | 'logarithmic', low: number, high: number): number[] {
  if (kind === 'linear') return roundTicksOf(scaleLinear().domain([low, high]), innerTicks)
  const powers = roundTicksOf(scaleLog().domain([low, high]), maxPowers).filter((value) => Number.isInteger(Math.log10(value)))
  return powers.filter((_, at) => at % Math.ceil(powers.length / maxPowers) === 0)
}
