import { area, curveMonotoneX, line } from 'd3-shape'

interface Properties {
  /** `NaN`: no value, the curve is broken there. */
  values: readonly number[]
  color?: string
  width?: number
  height?: number
  label: string
}

/** A curve without axes, shown next to its number. */
export function Spark({ values, color = 'var(--accent)', width = 88, height = 24, label }: Properties) {
  const known = values.filter(isKnown)
  const lo = Math.min(...known)
  const hi = Math.max(...known)
  const right = width - 4
  const x = (at: number) => (values.length === 1 ? (1 + right) / 2 : 1 + (at / (values.length - 1)) * (right - 1))
  // Equal values are in the middle, and zeros at the foot.
  const shareOf = (value: number) => (hi > lo ? (value - lo) / (hi - lo) : value === 0 ? 0 : 0.5)
  const y = (value: number) => (isKnown(value) ? height - 3 - shareOf(value) * (height - 6) : Number.NaN)
  const points = values.map((value, at): [number, number] => [x(at), y(value)])
  const isPoint = ([, value]: [number, number]) => isKnown(value)
  const curve = line<[number, number]>().defined(isPoint).curve(curveMonotoneX)(points) ?? ''
  const below = area<[number, number]>().y0(height).defined(isPoint).curve(curveMonotoneX)(points) ?? ''
  const end = points.findLast(isPoint)
  return (
    <svg width={width} height={height} role="img" aria-label={label} className="inline-block">
      <path d={below} fill={color} opacity="0.1" />
      <path d={curve} fill="none" stroke={color} strokeWidth="1.5" />
      {end && <circle cx={end[0]} cy={end[1]} r="2" fill={color} />}
    </svg>
  )
}

const isKnown = (value: number) => !Number.isNaN(value)
