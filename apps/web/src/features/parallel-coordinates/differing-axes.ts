import type { AxisOffer, AxisRow } from './axis.ts'
import { maxTexts, toScale } from './axis-scale.ts'

/** The axes on which rows have different values, and no more texts than an axis shows. */
export const differingAxes = (rows: readonly AxisRow[], offers: readonly AxisOffer[]): AxisOffer[] =>
  offers.filter(({ id }) => {
    const { kind, stops } = toScale(rows.flatMap(({ values }) => values.get(id) ?? []))
    return stops.length > 1 && (kind !== 'text' || stops.length <= maxTexts)
  })
