import { finite, type SearchOf, word } from '../../lib/search.ts'

export const curveAxes = ['step', 'relative', 'clock'] as const
export type CurveAxis = (typeof curveAxes)[number]

/** How curves are drawn, as search parameters. */
export const curveParams = {
  /** Factor of the exponential average, from 0 to 0.99. */
  smooth(value: unknown) {
    const factor = finite(value)
    return factor !== undefined && factor >= 0 && factor < 1 ? factor : undefined
  },
  scale: word('log'),
  /** Default: by step. */
  axis: word(...curveAxes),
  /** Whether the lowest and highest values are excluded from the range. */
  outliers: word('out'),
  /** The part of the horizontal axis that is shown: steps, seconds since the first, or milliseconds since 1970. */
  from: finite,
  to: finite,
}
export type CurveSearch = SearchOf<typeof curveParams>

export const defaultSmoothing = 0.8
