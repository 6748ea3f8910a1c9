import { numberOf, wordOf } from '../../app/search.ts'

export const curveAxes = ['step', 'relative', 'clock'] as const
export type CurveAxis = (typeof curveAxes)[number]

/** How curves are drawn, as the address says it. */
export interface CurveSearch {
  /** Factor of the exponential average, from 0 to 0.99. */
  smooth?: number | undefined
  scale?: 'log' | undefined
  /** Default: by step. */
  axis?: CurveAxis | undefined
  /** Whether the lowest and highest values are left out of the range. */
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

/** A value at a step. `at` is when it was written; undefined where nobody noted it. */
export interface CurvePoint {
  step: number
  at?: string
  value: number
}

/** Where points stand on the horizontal axis. A point without a time stands by its step. */
export function placeOf(points: readonly CurvePoint[], axis: CurveAxis): (point: Pick<CurvePoint, 'step' | 'at'>) => number {
  const startMs = Date.parse(points[0]?.at ?? '')
  if (axis === 'step' || Number.isNaN(startMs)) return ({ step }) => step
  return ({ at = '', step }) => {
    const ms = Date.parse(at)
    if (Number.isNaN(ms)) return step
    return axis === 'relative' ? (ms - startMs) / 1_000 : ms
  }
}

export function placeText(place: number, axis: CurveAxis): string {
  if (axis === 'step') return `step ${Math.round(place).toLocaleString('en')}`
  if (axis === 'relative') return `${Number(place.toPrecision(4))} s`
  return new Date(place).toLocaleTimeString('en-GB')
}

/** The range of values that a chart shows, and how many points it leaves out. */
export interface ValueRange {
  low: number
  high: number
  leftOut: number
}

/** Share of the points at either end that count as outliers, and how many points it takes to tell. */
const outlierShare = 0.02
const fewPoints = 20

/** Undefined without a point that can be drawn: values from 0 down have no place on a logarithmic scale. */
export function rangeOfValues(
  values: readonly number[],
  { scale, outliers }: Pick<CurveSearch, 'scale' | 'outliers'>,
): ValueRange | undefined {
  const drawn = Float64Array.from(values.filter((value) => Number.isFinite(value) && (scale !== 'log' || value > 0))).sort()
  const cut = outliers === 'out' && drawn.length >= fewPoints ? Math.ceil(drawn.length * outlierShare) : 0
  const [low, high] = [drawn[cut], drawn.at(-1 - cut)]
  if (low === undefined || high === undefined) return undefined
  return { low, high, leftOut: values.filter((value) => !(value >= low && value <= high)).length }
}
