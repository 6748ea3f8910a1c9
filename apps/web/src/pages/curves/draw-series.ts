import type { CurvePoint, ValueRange } from './curve-view.ts'
import { smooth, thin, type ThinnedPoint } from './smooth.ts'

const maxPoints = 300

/** The values of a metric in one job. */
export interface Series {
  label: string
  points: readonly CurvePoint[]
}

export type PlacedPoint = CurvePoint & { place: number }

/** A series as lines of a chart. */
export interface DrawnSeries {
  label: string
  points: readonly ThinnedPoint[]
  isThinned: boolean
  /** Corners of the range of thinned points; empty where none are thinned. */
  band: string
  raw: string
  smoothed: string
  /** Of a series with a single point. */
  dot: [x: number, y: number] | undefined
}

interface Box {
  width: number
  height: number
  pad: number
  /** Ends of the horizontal axis. */
  first: number
  last: number
  range: ValueRange | undefined
  isLog: boolean
  smoothing: number
}

/** Places the points of a series in a chart. Values outside of the range stand at its edge. */
export function drawSeries({ label, points }: { label: string; points: readonly PlacedPoint[] }, box: Box): DrawnSeries {
  const { width, height, pad, first, last, range, isLog, smoothing } = box
  const thinned = thin(points, maxPoints)
  const isThinned = thinned.length < points.length
  if (!range) return { label, points: thinned, isThinned, band: '', raw: '', smoothed: '', dot: undefined }
  const scaled = (value: number) => (isLog ? Math.log(Math.max(value, range.low)) : value)
  const [low, high] = [scaled(range.low), scaled(range.high)]
  const x = (place: number) => (last === first ? width / 2 : pad + ((place - first) / (last - first)) * (width - 2 * pad))
  const y = (value: number) => {
    const share = high === low ? 0.5 : (scaled(value) - low) / (high - low)
    return height - pad - Math.min(1, Math.max(0, share)) * (height - 2 * pad)
  }
  const line = (values: readonly number[]) => thinned.map(({ place }, at) => `${x(place)},${y(values[at] ?? low)}`).join(' ')
  const values = thinned.map((point) => point.last)
  const band = [
    ...thinned.map((point) => `${x(point.place)},${y(point.high)}`),
    ...thinned.toReversed().map((point) => `${x(point.place)},${y(point.low)}`),
  ]
  const [only] = thinned
  return {
    label,
    points: thinned,
    isThinned,
    band: isThinned ? band.join(' ') : '',
    raw: line(values),
    smoothed: line(smooth(values, smoothing)),
    dot: only && thinned.length === 1 ? [x(only.place), y(only.last)] : undefined,
  }
}
