import { scaleLinear } from 'd3-scale'
import { type ReactNode, useState } from 'react'
import { useSize } from '../lib/use-size.ts'
import { fitTicks, roomOf, XAxis, YAxis } from './axis.tsx'
import type { Series } from './frame.tsx'
import { PointParts } from './parts.tsx'
import { ChartTip, TipRow } from './tip.tsx'
import { type TickFormat, valueTicks } from './ticks.ts'

export interface BarPoint {
  label: string
  tip: string
  values: Record<string, number>
}
/** Least distance of labels below bars, in pixels. */
const labelWidth = 72
/** Least room of the values beside the axis, in pixels. */
const leastGutter = 44

/** Stacked bars over time, the first series at the foot. */
export function Bars({
  label,
  points,
  series,
  height,
  format = String,
  xTicks,
  tip = format,
  part,
}: {
  label: string
  points: BarPoint[]
  series: Series[]
  height: number
  format?: TickFormat
  /** Candidate positions of labels, for example the start of each day. They are thinned until they fit. */
  xTicks?: readonly number[]
  /** A value in the tooltip. Default: as on the axis. */
  tip?: TickFormat
  /** Overlay of a bar, such as a link to its rows. */
  part?: (at: number) => ReactNode
}) {
  const [ref, { width }] = useSize<HTMLDivElement>()
  const [at, setAt] = useState<number>()
  const right = width - 8,
    top = 8,
    bottom = height - 24
  const values = points.flatMap((p) => series.map((s) => p.values[s.id] ?? 0))
  const max = Math.max(...points.map((p) => series.reduce((sum, s) => sum + (p.values[s.id] ?? 0), 0)), 0)
  const y = scaleLinear([0, max > 0 ? max : 1], [bottom, top]).nice(4)
  const yTicks = valueTicks(y, 4, format, values.every(Number.isInteger))
  const left = roomOf(
    yTicks.map(({ text }) => text),
    leastGutter,
  )
  const band = (right - left) / points.length
  const room = Math.max(2, Math.floor((right - left) / labelWidth))
  const step = Math.ceil(points.length / room)
  const labelled = xTicks ? fitTicks(xTicks, room) : points.flatMap((_, i) => (i % step === 0 ? [i] : []))
  const point = at === undefined ? undefined : points[at]
  return (
    <div
      ref={ref}
      className="relative"
      style={{ height }}
      onMouseLeave={() => setAt(undefined)}
      onMouseMove={({ clientX, currentTarget }) => {
        const i = Math.floor((clientX - currentTarget.getBoundingClientRect().left - left) / band)
        setAt(i >= 0 && i < points.length ? i : undefined)
      }}
    >
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={label}>
          <YAxis left={left} right={right} ticks={yTicks} />
          {at !== undefined && <rect x={left + at * band} y={top} width={band} height={bottom - top} fill="var(--active)" />}
          {points.map((p, i) => {
            let base = 0
            return series.map((s) => {
              const v = p.values[s.id] ?? 0
              const y1 = y(base),
                y2 = y(base + v)
              base += v
              const w = Math.max(1, band - (band > 6 ? 2 : 0.5))
              return (
                v > 0 && (
                  <rect
                    key={`${i}${s.id}`}
                    x={left + i * band + (band - w) / 2}
                    y={y2}
                    width={w}
                    height={Math.max(1, y1 - y2)}
                    rx={band > 8 ? 1 : 0}
                    fill={s.color}
                  />
                )
              )
            })
          })}
          <XAxis
            left={left}
            right={right}
            y={bottom}
            ticks={labelled.map((i) => ({ at: left + (i + 0.5) * band, text: points[i]?.label ?? '' }))}
          />
        </svg>
      )}
      {width > 0 && part && <PointParts count={points.length} part={part} left={left} band={band} top={top} height={bottom - top} />}
      {point && (
        <ChartTip x={left + ((at ?? 0) + 0.5) * band} width={width}>
          <div className="mb-1 text-fg-3">{point.tip}</div>
          {series.map((s) => (
            <TipRow key={s.id} color={s.color} name={s.name} value={tip(point.values[s.id] ?? 0)} />
          ))}
        </ChartTip>
      )}
    </div>
  )
}
