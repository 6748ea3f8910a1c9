import { curveMonotoneX, line } from 'd3-shape'

interface Properties {
  values: number[]
  color?: string
  width?: number
  height?: number
  label: string
  fill?: boolean
}

/** A curve without axes, shown next to its number. */
export function Spark({ values, color = 'var(--accent)', width = 88, height = 24, label, fill = true }: Properties) {
  const lo = Math.min(...values)
  const hi = Math.max(...values)
  const right = width - 4
  const x = (at: number) => (values.length === 1 ? (1 + right) / 2 : 1 + (at / (values.length - 1)) * (right - 1))
  const y = (value: number) => height - 3 - ((value - lo) / (hi === lo ? 1 : hi - lo)) * (height - 6)
  const points = values.map((value, at): [number, number] => [x(at), y(value)])
  const d = line<[number, number]>().curve(curveMonotoneX)(points) ?? ''
  const end = points.at(-1)
  return (
    <svg width={width} height={height} role="img" aria-label={label} className="inline-block">
      {fill && <path d={`${d}L${right},${height}L1,${height}Z`} fill={color} opacity="0.1" />}
      <path d={d} fill="none" stroke={color} strokeWidth="1.5" />
      {end && <circle cx={end[0]} cy={end[1]} r="2" fill={color} />}
    </svg>
  )
}
