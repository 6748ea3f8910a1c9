import { scaleLinear, scaleSqrt } from 'd3-scale'
import { type PointerEvent, useState } from 'react'
import { useSize } from '../lib/use-size.ts'
import { XAxis, YAxis } from './axis.tsx'
import type { Series } from './frame.tsx'
import { ChartTip, TipRow } from './tip.tsx'
import { valueTicks } from './ticks.ts'

export interface Point {
  x: number
  y: number
  /** Number of items that it represents: the more, the larger. */
  count: number
}

interface Properties {
  label: string
  series: readonly Series[]
  /** Points of each series, in their order. */
  points: readonly (readonly Point[])[]
  height: number
  formatX: (value: number) => string
  formatY: (value: number) => string
  /** Names of the two values. */
  names: readonly [x: string, y: string]
  /** Called with the ranges of a rectangle that was drawn with the pointer. */
  onBrush?: (brushed: { x: [number, number]; y: [number, number] }) => void
}

interface Place {
  x: number
  y: number
}

const [left, top, footHeight] = [52, 10, 24]
/** A shorter way of the pointer is a press. */
const leastDrag = 6
/** Pixels within which the pointer is at a point. */
const reach = 14

/** Two values against each other. Series have different shapes, so that they do not differ only in color. */
export function Points({ label, series, points, height, formatX, formatY, names, onBrush }: Properties) {
  const [ref, { width }] = useSize<HTMLDivElement>()
  const [drawn, setDrawn] = useState<{ from: Place; to: Place }>()
  const [at, setAt] = useState<{ group: number; point: Point }>()
  const [right, bottom] = [width - 12, height - footHeight]
  const all = points.flat()
  const x = scaleLinear(endsOf(all.map((point) => point.x)), [left + 12, right - 12]).nice(4)
  const y = scaleLinear(endsOf(all.map((point) => point.y)), [bottom - 12, top + 8]).nice(4)
  const size = scaleSqrt([1, Math.max(2, ...all.map(({ count }) => count))], [3.5, 9])
  const besideEachOther = (group: number) => (group - (points.length - 1) / 2) * 5

  const placeOf = ({ clientX, clientY, currentTarget }: PointerEvent): Place => {
    const box = currentTarget.getBoundingClientRect()
    return { x: clientX - box.left, y: clientY - box.top }
  }
  function nearest(place: Place) {
    let found: { group: number; point: Point } | undefined
    let least = reach
    for (const [group, own] of points.entries())
      for (const point of own) {
        const distance = Math.hypot(x(point.x) + besideEachOther(group) - place.x, y(point.y) - place.y)
        if (distance < least) [found, least] = [{ group, point }, distance]
      }
    return found
  }
  function end() {
    setDrawn(undefined)
    if (!drawn || Math.hypot(drawn.from.x - drawn.to.x, drawn.from.y - drawn.to.y) < leastDrag) return
    const ordered = (one: number, other: number): [number, number] => (one < other ? [one, other] : [other, one])
    onBrush?.({
      x: ordered(x.invert(drawn.from.x), x.invert(drawn.to.x)),
      y: ordered(y.invert(drawn.from.y), y.invert(drawn.to.y)),
    })
  }
  return (
    <div ref={ref} className="relative" style={{ height }}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={label}
          className={onBrush && 'cursor-crosshair touch-none select-none'}
          onPointerDown={(event) => {
            if (!onBrush || event.button !== 0) return
            event.currentTarget.setPointerCapture(event.pointerId)
            const from = placeOf(event)
            setDrawn({ from, to: from })
          }}
          onPointerMove={(event) => {
            const place = placeOf(event)
            if (drawn) setDrawn({ ...drawn, to: place })
            setAt(drawn ? undefined : nearest(place))
          }}
          onPointerUp={end}
          onPointerCancel={() => setDrawn(undefined)}
          onPointerLeave={() => setAt(undefined)}
        >
          <YAxis left={left} right={right} ticks={valueTicks(y, 3, formatY)} />
          <XAxis left={left} right={right} y={bottom} ticks={valueTicks(x, 4, formatX)} />
          {points.map((own, group) =>
            own.map((point) => (
              <path
                key={`${group} ${point.x} ${point.y}`}
                d={shapeOf(group, size(point.count))}
                transform={`translate(${x(point.x) + besideEachOther(group)} ${y(point.y)})`}
                fill={series[group]?.color}
                fillOpacity="0.75"
                stroke="var(--sheet)"
                strokeWidth={at?.point === point ? 0 : 0.75}
              />
            )),
          )}
          {drawn && (
            <rect
              x={Math.min(drawn.from.x, drawn.to.x)}
              y={Math.min(drawn.from.y, drawn.to.y)}
              width={Math.abs(drawn.from.x - drawn.to.x)}
              height={Math.abs(drawn.from.y - drawn.to.y)}
              fill="var(--accent)"
              fillOpacity="0.15"
              stroke="var(--accent)"
            />
          )}
        </svg>
      )}
      {at && (
        <ChartTip x={x(at.point.x)} width={width}>
          <div className="mb-1 text-fg-3">{`${series[at.group]?.name}, ${at.point.count.toLocaleString('en')} rows`}</div>
          <TipRow name={names[0]} value={formatX(at.point.x)} />
          <TipRow name={names[1]} value={formatY(at.point.y)} />
        </ChartTip>
      )}
    </div>
  )
}

/** The least and the greatest value, spread apart if they are equal. */
function endsOf(values: readonly number[]): [number, number] {
  let [low, high] = [values[0] ?? 0, values[0] ?? 0]
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)]
  return low === high ? [low - 0.5, high + 0.5] : [low, high]
}

/** Disc, square, triangle, diamond, then the same again in other proportions. */
function shapeOf(group: number, r: number): string {
  const [wide, tall] = group < 4 ? [r, r] : [r * 1.3, r * 0.6]
  const shapes = [
    `M${-wide},0a${wide},${tall} 0 1 0 ${2 * wide},0a${wide},${tall} 0 1 0 ${-2 * wide},0Z`,
    `M${-wide},${-tall}h${2 * wide}v${2 * tall}h${-2 * wide}Z`,
    `M0,${-tall * 1.2}L${wide * 1.1},${tall}H${-wide * 1.1}Z`,
    `M0,${-tall * 1.3}L${wide * 1.3},0L0,${tall * 1.3}L${-wide * 1.3},0Z`,
  ]
  return shapes[group % shapes.length] ?? ''
}
