import { type AxisOffer, type AxisValue, valueText, type AxisScale } from './axis.ts'
import { placeOf, valueAt } from './axis-scale.ts'

/** Colours from the lowest to the highest values of an axis. */
export const colourCount = 5

/** Which colour a value has, from 0; undefined without a value. */
export function colourOf(scale: AxisScale, value: AxisValue | undefined): number | undefined {
  const place = placeOf(scale, value)
  return place === undefined ? undefined : Math.min(colourCount - 1, Math.floor(place * colourCount))
}

/** What each colour stands for; those that no value has are left out. */
export function colourMeanings(scale: AxisScale, axis: Pick<AxisOffer, 'text'>): { colour: number; text: string }[] {
  return Array.from({ length: colourCount }, (_, colour) => colour).flatMap((colour) => {
    const stops = scale.stops.filter((stop) => colourOf(scale, stop) === colour)
    if (stops.length === 0) return []
    const texts =
      scale.kind === 'text' || stops.length === 1 ? stops : [0, 1].map((end) => valueAt(scale, (colour + end) / colourCount) ?? 0)
    return [{ colour, text: texts.map((value) => valueText(axis, value)).join(scale.kind === 'text' ? ', ' : ' to ') }]
  })
}
