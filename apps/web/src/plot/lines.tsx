import { scaleLinear, scaleLog } from 'd3-scale'
import { area, curveMonotoneX, line } from 'd3-shape'
import { memo, type PointerEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { useSize } from '../lib/use-size.ts'
import { fitTicks, roomOf, XAxis, YAxis } from './axis.tsx'
import type { Series } from './frame.tsx'
import { nearestTo, spreadLabels, thin } from './line-data.ts'
import { PointParts } from './parts.tsx'
import { ChartTip, TipRow } from './tip.tsx'
import { endsOf, orEnds, type TickFormat, ticksOf, valueTicks } from './ticks.ts'

export interface LineSeries extends Series {
  /** `NaN` if there is none: the line is broken there. */
  values: readonly number[]
  /** Where the values are on the horizontal axis, growing. Default: 0, 1, 2 … */
  places?: readonly number[]
  /** Drawn strong, over the values, which are then faint. */
  smooth?: readonly number[]
  band?: readonly [number, number][]
  fill?: boolean
}

interface Props {
  label: string
  series: readonly LineSeries[]
  height: number
  format?: TickFormat
  xLabel?: (place: number) => string
  xName?: string
  yName?: string
  /** Position of the cursor while the pointer is not in this chart. */
  hover?: number | undefined
  /** Called with the position of the point nearest to the pointer. */
  onHover?: (place: number | undefined) => void
  /** Called with the position of the point nearest to a press. */
  onPick?: ((place: number) => void) | undefined
  /** Called with the ends of the selected range. */
  onBrush?: ((from: number, to: number) => void) | undefined
  min?: number | undefined
  max?: number | undefined
  log?: boolean
  endLabels?: boolean
  marks?: { at: number; text: string }[]
  yTicks?: number
  gutter?: number
  dots?: boolean
  /** Candidate positions of labels, for example the start of each day. They are thinned until they fit. */
  xTicks?: readonly number[]
  tip?: TickFormat
  /** Label of a position in the tooltip. Default: as on the axis. */
  tipLabel?: (place: number) => string
  /** Overlay of a point in a chart without positions, such as a link to its rows. */
  part?: (at: number) => ReactNode
}

/** A shorter way of the pointer is a press. */
const leastDrag = 6
/** Least distance between times on the horizontal axis. */
const tickDistance = 72
/** Least distance between numbers there, which are shorter. */
const numberDistance = 40
/** Pixels that names at the ends of lines take. */
const endRoom = 92

/** Curves over a common axis: the raw line faint, the smoothed one strong, the cursor shared. */
export function Lines(props: Props) {
  const {
    label,
    series,
    height,
    format = String,
    xLabel = String,
    tipLabel = xLabel,
    xName,
    yName,
    hover,
    onHover,
    onPick,
    onBrush,
  } = props
  const { min, max, log = false, endLabels = false, marks, yTicks = 4, gutter = 44, dots = false, tip = format, xTicks, part } = props
  const [ref, { width }] = useSize<HTMLDivElement>()
  const [own, setOwn] = useState<number>()
  const [drag, setDrag] = useState<{ from: number; to: number }>()
  const start = useRef<number>(undefined)
  const right = width - (endLabels ? endRoom : 12)
  const top = 10
  const bottom = height - (xName ? 36 : 22)
  const { first, last, low, high, places, areWhole } = useMemo(() => extentOf(series), [series])
  const ends = log ? ([low, high === low ? high + 1 : high] as const) : endsOf(low, high)
  const [least, most] = [min ?? ends[0], max ?? ends[1]]
  const domain = log ? ([least, most] as const) : endsOf(least, most)
  const y = useMemo(
    () => (log ? scaleLog(domain, [bottom, top]) : scaleLinear(domain, [bottom, top]).nice(yTicks)),
    [log, domain[0], domain[1], bottom, yTicks],
  )
  const values = valueTicks(y, log ? 3 : yTicks, format, areWhole && !log)
  const left = roomOf(
    values.map(({ text }) => text),
    gutter,
  )
  const x = useMemo(() => scaleLinear([first, first === last ? first + 1 : last], [left, right]), [first, last, left, right])
  const at = own ?? hover
  const band = places.length > 1 ? (right - left) / (places.length - 1) : 0
  const isWhole = useMemo(() => places.every(Number.isInteger), [places])

  const xOf = ({ clientX, currentTarget }: PointerEvent) =>
    Math.min(right, Math.max(left, clientX - currentTarget.getBoundingClientRect().left))
  const placeAt = (px: number) => places[nearestTo(places, x.invert(px)) ?? -1]
  function move(event: PointerEvent) {
    const px = xOf(event)
    const place = placeAt(px)
    setOwn(place)
    onHover?.(place)
    const from = start.current
    if (from !== undefined && onBrush && (drag || Math.abs(px - from) >= leastDrag)) setDrag({ from, to: px })
  }
  function end(event: PointerEvent) {
    const from = start.current
    start.current = undefined
    setDrag(undefined)
    if (from === undefined) return
    if (drag && onBrush) return onBrush(...inOrder(x.invert(drag.from), x.invert(drag.to)))
    const place = placeAt(xOf(event))
    if (place !== undefined) onPick?.(place)
  }
  function leave() {
    start.current = undefined
    setDrag(undefined)
    setOwn(undefined)
    onHover?.(undefined)
  }

  const labelRoom = Math.max(2, Math.min(10, Math.floor((right - left) / numberDistance)))
  const ticks = xTicks
    ? fitTicks(xTicks, (right - left) / tickDistance)
    : orEnds(
        ticksOf(x, labelRoom).filter((place) => place <= last && (!isWhole || Number.isInteger(place))),
        [first, last],
      )
  return (
    <div
      ref={ref}
      className={cx('relative', (onBrush || onPick) && 'cursor-crosshair touch-pan-y select-none')}
      style={{ height }}
      onPointerDown={(event) => {
        if (event.button === 0 && (onBrush || onPick)) start.current = xOf(event)
      }}
      onPointerMove={move}
      onPointerUp={end}
      onPointerLeave={leave}
      onPointerCancel={leave}
    >
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={label}>
          <YAxis left={left} right={right} ticks={values} />
          {yName && (
            <text x={left} y={top - 2} fontSize="11" fill="var(--fg-3)" dy="-2">
              {yName}
            </text>
          )}
          <Curves series={series} box={{ left, right, top, bottom }} x={x} y={y} marks={marks} dots={dots} />
          {at !== undefined && at >= first && at <= last && (
            <>
              <line x1={x(at)} x2={x(at)} y1={top} y2={bottom} stroke="var(--fg-3)" strokeDasharray="3 3" />
              {series.map((one) => {
                const value = valueAt(one, at)
                return (
                  value && (
                    <circle key={one.id} cx={x(at)} cy={y(value.strong)} r="3.5" fill={one.color} stroke="var(--sheet)" strokeWidth="1.5" />
                  )
                )
              })}
            </>
          )}
          {drag && (
            <rect
              x={Math.min(drag.from, drag.to)}
              width={Math.abs(drag.to - drag.from)}
              y={top}
              height={bottom - top}
              fill="var(--accent)"
              opacity="0.15"
            />
          )}
          {endLabels && <EndLabels series={series} y={y} right={right} box={{ top, bottom }} />}
          <XAxis left={left} right={right} y={bottom} ticks={ticks.map((place) => ({ at: x(place), text: xLabel(place) }))} />
          {xName && (
            <text x={(left + right) / 2} y={height - 4} textAnchor="middle" fontSize="11" fill="var(--fg-3)">
              {xName}
            </text>
          )}
        </svg>
      )}
      {width > 0 && part && places.length > 1 && (
        <PointParts count={places.length} part={part} left={left - band / 2} band={band} top={top} height={bottom - top} />
      )}
      {at !== undefined && !drag && own !== undefined && (
        <ChartTip x={x(at)} width={width}>
          <div className="mb-1 text-fg-3">
            {xName ? `${xName} ` : ''}
            {tipLabel(at)}
          </div>
          {series.map((one) => {
            const value = valueAt(one, at)
            return (
              value && (
                <TipRow
                  key={one.id}
                  color={one.color}
                  dash={one.dash}
                  line
                  name={one.name}
                  value={one.smooth ? `${tip(value.strong)} (raw ${tip(value.raw)})` : tip(value.raw)}
                />
              )
            )
          })}
        </ChartTip>
      )}
    </div>
  )
}

const inOrder = (one: number, other: number): [number, number] => [Math.min(one, other), Math.max(one, other)]

/** The ends of both axes, and the positions of the first series that has some: the cursor moves between them. */
function extentOf(series: readonly LineSeries[]) {
  let [low, high, first, last] = [Infinity, -Infinity, Infinity, -Infinity]
  let areWhole = true
  for (const { values, places } of series) {
    for (const value of values) {
      if (value < low) low = value
      if (value > high) high = value
      if (areWhole && !Number.isNaN(value) && !Number.isInteger(value)) areWhole = false
    }
    if (values.length === 0) continue
    first = Math.min(first, places?.[0] ?? 0)
    last = Math.max(last, places?.at(-1) ?? values.length - 1)
  }
  const lead = series.find(({ values }) => values.length > 0)
  const places = lead?.places ?? Array.from({ length: lead?.values.length ?? 0 }, (_, at) => at)
  return {
    ...(low > high ? { low: 0, high: 1 } : { low, high }),
    ...(first > last ? { first: 0, last: 1 } : { first, last }),
    places,
    areWhole,
  }
}

/** The value of a series at a position. Undefined if it has no point there, or ends before it. */
function valueAt({ values, places, smooth }: LineSeries, place: number): { raw: number; strong: number } | undefined {
  const at = places ? nearestTo(places, place) : place
  const raw = at === undefined ? undefined : values[at]
  if (at === undefined || raw === undefined || Number.isNaN(raw)) return undefined
  if (places && (place < (places[0] ?? 0) || place > (places.at(-1) ?? 0))) return undefined
  return { raw, strong: smooth?.[at] ?? raw }
}

type Scale = (value: number) => number

interface CurvesProps {
  series: readonly LineSeries[]
  box: { left: number; right: number; top: number; bottom: number }
  x: Scale
  y: Scale
  marks: Props['marks']
  dots: boolean
}

/** They do not depend on the pointer: they are drawn once. */
const Curves = memo(
  function Curves({ series, box: { left, right, top, bottom }, x, y, marks, dots }: CurvesProps) {
    const clip = useId()
    const slices = Math.max(40, Math.floor(right - left))
    return (
      <g>
        <clipPath id={clip}>
          <rect x={left - 5} y={top - 5} width={Math.max(0, right - left + 10)} height={bottom - top + 10} />
        </clipPath>
        <g clipPath={`url(#${clip})`}>
          {marks?.map((mark) => (
            <line key={mark.at} x1={x(mark.at)} x2={x(mark.at)} y1={top} y2={bottom} stroke="var(--line-2)" strokeDasharray="2 3" />
          ))}
          {series.map((one) => {
            const { id, values, places, smooth, band, fill, color, dash } = one
            const placed = (at: number) => x(places?.[at] ?? at)
            const straight = line<[number, number]>(
              ([at]) => placed(at),
              ([, value]) => y(value),
            ).defined(([, value]) => !Number.isNaN(value))
            const curve = line<[number, number]>(straight.x(), straight.y()).defined(straight.defined()).curve(curveMonotoneX)
            const points = thin(smooth ?? values, slices)
            const strong = values.length > 200 ? (straight(points) ?? '') : (curve(points) ?? '')
            return (
              <g key={id}>
                {band && (
                  <path
                    d={
                      area<readonly [number, number]>(
                        (_, at) => placed(at),
                        (ends) => y(ends[0]),
                        (ends) => y(ends[1]),
                      )
                        .defined(([from]) => !Number.isNaN(from))
                        .curve(curveMonotoneX)(band) ?? ''
                    }
                    fill={color}
                    opacity="0.12"
                  />
                )}
                {fill && (
                  <path
                    d={
                      area<[number, number]>(
                        ([at]) => placed(at),
                        bottom,
                        ([, value]) => y(value),
                      ).curve(curveMonotoneX)(points) ?? ''
                    }
                    fill={color}
                    opacity="0.1"
                  />
                )}
                {smooth && <path d={straight(thin(values, slices)) ?? ''} fill="none" stroke={color} strokeWidth="1" opacity="0.28" />}
                <path d={strong} fill="none" stroke={color} strokeWidth="1.75" strokeDasharray={dash} strokeLinejoin="round" />
                {values.map(
                  (value, at) =>
                    // A line through a single value has no length.
                    (dots || (Number.isNaN(values[at - 1] ?? Number.NaN) && Number.isNaN(values[at + 1] ?? Number.NaN))) &&
                    !Number.isNaN(value) && (
                      // Points keep their order, so the index is a stable key.
                      <circle key={String(at)} cx={placed(at)} cy={y(value)} r="3" fill="var(--sheet)" stroke={color} strokeWidth="1.75" />
                    ),
                )}
              </g>
            )
          })}
        </g>
      </g>
    )
  },
  (before, next) =>
    before.series === next.series &&
    before.x === next.x &&
    before.y === next.y &&
    before.dots === next.dots &&
    before.marks === next.marks &&
    before.box.bottom === next.box.bottom,
)

interface EndProps {
  series: readonly LineSeries[]
  y: Scale
  right: number
  box: { top: number; bottom: number }
}

/** The names of the series at the ends of their lines. */
function EndLabels({ series, y, right, box }: EndProps) {
  const ends = series.flatMap((one) => {
    const value = (one.smooth ?? one.values).at(-1)
    return value === undefined ? [] : [{ one, y: y(value) }]
  })
  return spreadLabels(ends, box).map(({ one, y: at }) => (
    <g key={one.id}>
      <line x1={right + 4} x2={right + 14} y1={at} y2={at} stroke={one.color} strokeWidth="2" strokeDasharray={one.dash} />
      <text x={right + 18} y={at + 4} fontSize="11" fill="var(--fg-2)">
        {one.name}
      </text>
    </g>
  ))
}
