import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { useSize } from '../lib/use-size.ts'
import { ChartTip, TipRow } from './tip.tsx'

export interface StripPoint {
  ok: number
  error: number
  /** Head of the tooltip. */
  tip: string
}

interface Properties {
  label: string
  points: readonly StripPoint[]
  height?: number
  /** Overlay of some adjacent points, such as a link to their rows. It fills their area. */
  part?: (from: number, to: number) => ReactNode
  /** Called with the first and the last point that the pointer was drawn over. */
  onRange?: (from: number, to: number) => void
}

/** Overlays are wide enough for a finger. */
const leastPart = 24
/** A shorter way of the pointer is a press. */
const leastDrag = 6

/** A strip without axes for the head of a list: one bar a slice, failures at the foot. */
export function Strip({ label, points, height = 36, part, onRange }: Properties) {
  const [ref, { width }] = useSize<HTMLDivElement>()
  const [at, setAt] = useState<number>()
  const [drag, setDrag] = useState<{ from: number; to: number }>()
  const start = useRef<{ x: number; at: number }>(undefined)
  const max = Math.max(...points.map(({ ok, error }) => ok + error), 1)
  const band = width / Math.max(1, points.length)
  const point = at === undefined ? undefined : points[at]
  const together = band === 0 ? 1 : Math.ceil(leastPart / band)
  const parts = points.length === 0 ? 0 : Math.max(1, Math.floor(points.length / together))

  const placeOf = ({ clientX, currentTarget }: PointerEvent) => {
    const x = clientX - currentTarget.getBoundingClientRect().left
    return { x, at: Math.max(0, Math.min(points.length - 1, Math.floor(x / band))) }
  }
  function move(event: PointerEvent) {
    const place = placeOf(event)
    setAt(place.at)
    const from = start.current
    if (!from || !onRange || (!drag && Math.abs(place.x - from.x) < leastDrag)) return
    setDrag({ from: Math.min(from.at, place.at), to: Math.max(from.at, place.at) })
  }
  function end() {
    start.current = undefined
    if (drag) onRange?.(drag.from, drag.to)
  }
  return (
    <div
      ref={ref}
      className="relative touch-pan-y select-none"
      style={{ height }}
      onPointerDown={(event) => {
        if (event.button === 0) start.current = placeOf(event)
      }}
      onPointerMove={move}
      onPointerUp={end}
      onPointerLeave={() => {
        start.current = undefined
        setAt(undefined)
        setDrag(undefined)
      }}
      // The press that ends a drag opens nothing.
      onClickCapture={(event) => {
        if (!drag) return
        event.preventDefault()
        event.stopPropagation()
        setDrag(undefined)
      }}
    >
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={label}>
          <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} stroke="var(--line-2)" />
          {points.map(({ ok, error }, place) => (
            <Bar
              // Slices keep their order, so the index is a stable key.
              key={String(place)}
              x={place * band + 0.5}
              width={Math.max(1, band - 1.5)}
              height={height}
              ok={(ok / max) * (height - 2)}
              error={(error / max) * (height - 2)}
              isChosen={at === place}
            />
          ))}
        </svg>
      )}
      {drag && (
        <span
          aria-hidden
          className="absolute inset-y-0 border-x border-accent bg-accent/15"
          style={{ left: drag.from * band, width: (drag.to - drag.from + 1) * band }}
        />
      )}
      {width > 0 &&
        part &&
        Array.from({ length: parts }, (_, place) => {
          const from = place * together
          // The last overlay includes the remaining points.
          const to = place === parts - 1 ? points.length - 1 : from + together - 1
          return (
            <span key={String(from)} className="absolute inset-y-0" style={{ left: from * band, width: (to - from + 1) * band }}>
              {part(from, to)}
            </span>
          )
        })}
      {point && (
        <ChartTip x={((at ?? 0) + 0.5) * band} width={width} top={height + 4}>
          <div className="mb-1 text-fg-3">{point.tip}</div>
          <TipRow color="var(--accent)" name="Succeeded" value={point.ok} />
          <TipRow color="var(--red)" name="Failed" value={point.error} />
        </ChartTip>
      )}
    </div>
  )
}

interface BarProperties {
  x: number
  width: number
  height: number
  ok: number
  error: number
  isChosen: boolean
}

function Bar({ x, width, height, ok, error, isChosen }: BarProperties) {
  return (
    <g>
      <rect x={x} width={width} y={height - 1 - error - ok} height={ok} fill={isChosen ? 'var(--accent)' : 'var(--accent-line)'} />
      {error > 0 && <rect x={x} width={width} y={height - 1 - error} height={Math.max(2, error)} fill="var(--red)" />}
    </g>
  )
}
