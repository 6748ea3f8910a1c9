import { numberOf, wordOf } from '../../lib/search.ts'

export const curveAxes = ['step', 'relative', 'clock'] as const
export type CurveAxis = (typeof curveAxes)[number]

/** How curves are drawn, as search parameters. */
export interface CurveSearch {
  /** Factor of the exponential average, from 0 to 0.99. */
  smooth?: number | undefined
  scale?: 'log' | undefined
  /** Default: by step. */
  axis?: CurveAxis | undefined
  /** Whether the lowest and highest values are excluded from the range. */
  outliers?: 'out' | undefined
  /** The part of the horizontal axis that is shown: steps, seconds since the first, or milliseconds since 1970. */
  from?: number | undefined
  to?: number | undefined
}

export const defaultSmoothing = 0.8

export function curveSearch(search: Record<string, unknown>): CurveSearch {
  const smooth = numberOf(search, 'smooth')
  return {
    smooth: smooth !== undefined && smooth >= 0 && smooth < 1 ? smooth : undefined,
    scale: wordOf(search, 'scale', ['log']),
    axis: wordOf(search, 'axis', curveAxes),
    outliers: wordOf(search, 'outliers', ['out']),
    from: numberOf(search, 'from'),
    to: numberOf(search, 'to'),
  }
}
