import { type AxisOffer, type AxisValue, valueText, type AxisScale } from './axis.ts'
import { placeOf, valueAt } from './axis-scale.ts'

/** Strokes from the lowest to the highest values of an axis: from one token to another that is as far from the ground, so that each between them is as well. */
export const strokes = [
  'var(--accent)',
  'color-mix(in oklab, var(--accent) 75%, var(--red))',
  'color-mix(in oklab, var(--accent) 50%, var(--red))',
  'color-mix(in oklab, var(--accent) 25%, var(--red))',
  'var(--red)',
] as const
/** Of lines without a value. */
export const strokeOfNone = 'var(--fg-3)'

/** Which colour a value has, from 0; undefined without a value. */
export function colourOf(scale: AxisScale, value: AxisValue | undefined): number | undefined {
  const place = placeOf(scale, value)
  return place === undefined ? undefined : Math.min(strokes.length - 1, Math.floor(place * strokes.length))
}

/** The meaning of each color; colors without a value are omitted. */
export function colourMeanings(scale: AxisScale, axis: Pick<AxisOffer, 'text'>): { colour: number; text: string }[] {
  return strokes.flatMap((_, colour) => {
    const stops = scale.stops.filter((stop) => colourOf(scale, stop) === colour)
    if (stops.length === 0) return []
    const texts =
      scale.kind === 'text' || stops.length === 1 ? stops : [0, 1].map((end) => valueAt(scale, (colour + end) / strokes.length) ?? 0)
    return [{ colour, text: texts.map((value) => valueText(axis, value)).join(scale.kind === 'text' ? ', ' : ' to ') }]
  })
}
