import type { CurveAxis, CurveSearch } from './curve-search.ts'

/** A value at a step. `at` is when it was written; undefined if that was not recorded. */
export interface CurvePoint {
  step: number
  at?: string
  value: number
}

/** Positions of points on the horizontal axis. A point without a time is placed by its step. */
export function placeOf(points: readonly CurvePoint[], axis: CurveAxis): (point: Pick<CurvePoint, 'step' | 'at'>) => number {
  const startMs = Date.parse(points[0]?.at ?? '')
  if (axis === 'step' || Number.isNaN(startMs)) return ({ step }) => step
  return ({ at = '', step }) => {
    const ms = Date.parse(at)
    if (Number.isNaN(ms)) return step
    return axis === 'relative' ? (ms - startMs) / 1_000 : ms
  }
}

/** @param timeZone IANA name of that of points by time. */
export function placeText(place: number, { axis, timeZone }: { axis: CurveAxis; timeZone: string }): string {
  if (axis === 'step') return `step ${Math.round(place).toLocaleString('en')}`
  if (axis === 'relative') return `${Number(place.toPrecision(4))} s`
  return new Date(place).toLocaleTimeString('en-GB', { timeZone })
}

/** The range of values that a chart shows, and how many points it leaves out. */
export interface ValueRange {
  low: number
  high: number
  leftOut: number
}

/** Share of the points at either end that count as outliers, and the least number of points for that. */
const outlierShare = 0.02
const fewPoints = 20

/** Undefined without a point that can be drawn: values of 0 and below have no position on a logarithmic scale. */
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
