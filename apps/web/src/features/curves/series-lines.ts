import type { LineSeries } from '../../plot/lines.tsx'
import { type CurveSearch, defaultSmoothing } from './curve-search.ts'
import { type CurvePoint, placeOf, rangeOfValues, type ValueRange } from './curve-view.ts'
import { smooth } from './smooth.ts'

/** The values of a metric in one job. */
export interface Series {
  label: string
  points: readonly CurvePoint[]
}

/** Each with its own dash, so that no two lines differ only in color. The second is for the series that the first is compared with. */
export const looksOfLines = [
  { color: 'var(--s1)' },
  { color: 'var(--s8)', dash: '5 3' },
  { color: 'var(--s2)', dash: '2 3' },
  { color: 'var(--s3)', dash: '7 2 2 2' },
  { color: 'var(--s4)', dash: '1 3' },
  { color: 'var(--s5)', dash: '8 3' },
  { color: 'var(--s6)', dash: '4 2 1 2' },
  { color: 'var(--s7)', dash: '3 2' },
] as const

/** A point of a curve with its position on the horizontal axis. */
export type PlacedPoint = CurvePoint & { place: number }

/** The curves of a metric as they are drawn. */
export interface DrawnCurves {
  lines: LineSeries[]
  /** Points of the first series. */
  points: readonly PlacedPoint[]
  /** Undefined where there is nothing to draw. */
  range: ValueRange | undefined
}

/** Few values are drawn as they are. */
const leastToSmooth = 3

/** The visible part of some series for an address: their points in its part of the axis, with their averages. */
export function drawSeries(series: readonly Series[], view: CurveSearch): DrawnCurves {
  const { axis = 'step', scale, smooth: factor = defaultSmoothing, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = view
  const placed = series.map(({ label, points }) => {
    const place = placeOf(points, axis)
    return {
      label,
      points: points.map((point) => ({ ...point, place: place(point) })).filter((point) => point.place >= from && point.place <= to),
    }
  })
  const range = rangeOfValues(
    placed.flatMap(({ points }) => points.map(({ value }) => value)),
    view,
  )
  const drawable = (value: number) => (scale === 'log' ? Math.max(value, range?.low ?? value) : value)
  const lines = placed.map(({ label, points }, at): LineSeries => {
    const values = points.map(({ value }) => drawable(value))
    const look = looksOfLines[at % looksOfLines.length]!
    const isSmoothed = factor > 0 && values.length >= leastToSmooth
    return {
      id: String(at),
      name: label,
      ...look,
      values,
      places: points.map(({ place }) => place),
      ...(isSmoothed && { smooth: smooth(values, factor) }),
    }
  })
  return { lines: lines.filter(({ values }) => values.length > 0), points: placed[0]?.points ?? [], range }
}
