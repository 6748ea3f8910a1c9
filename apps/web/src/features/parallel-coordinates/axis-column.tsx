import type { KeyboardEvent, PointerEvent } from 'react'
import { cx } from '../../lib/cx.ts'
import { type DrawnAxis, valueText, type RangeEnds } from './axis.ts'
import { heightOf, plotHeight } from './axis-lines.ts'
import { afterKey, endAt } from './axis-range.ts'
import { placeOf } from './axis-scale.ts'
import { ticksOf } from './axis-ticks.ts'

interface Properties {
  axis: DrawnAxis
  /** The range that is shown, which may be one that is being drawn. */
  ends: RangeEnds | undefined
  /** Its centre, in percent of the plot. */
  left: number
  onBegin: (event: PointerEvent, end?: 'from' | 'to') => void
  /** Undefined: every row is kept. */
  onRange: (ends: RangeEnds | undefined) => void
}

const top = (place: number | undefined) => `${(heightOf(place) / plotHeight) * 100}%`
const endNames = { from: 'lowest', to: 'highest' }

/** An axis with its labels, and the two ends of its range, which can be moved by keyboard and pointer. */
export function AxisColumn({ axis, ends, left, onBegin, onRange }: Properties) {
  const { scale } = axis
  const places = (['from', 'to'] as const).map((end) => placeOf(scale, endAt(scale, ends, end)) ?? (end === 'from' ? 0 : 1))
  const [from = 0, to = 1] = scale.stops.length === 1 ? [0, 1] : places
  return (
    <div data-axis="" className="absolute inset-y-0 w-0" style={{ left: `${left}%` }}>
      <div
        className="absolute -left-3.5 w-7 cursor-crosshair touch-none"
        style={{ top: top(1), bottom: `calc(100% - ${top(0)})` }}
        onPointerDown={(event) => onBegin(event)}
      />
      {ends && (
        <div
          className="pointer-events-none absolute -left-1 w-2 rounded-xs border border-accent bg-accent/30"
          style={{ top: top(to), bottom: `calc(100% - ${top(from)})` }}
        />
      )}
      {ticksOf(scale, axis).map(({ place, text }) => (
        <span
          key={`${place} ${text}`}
          aria-hidden="true"
          data-cut=""
          data-tip={text}
          className="num pointer-events-none absolute left-2 max-w-20 -translate-y-1/2 truncate rounded-xs bg-sheet/80 px-0.5 text-2xs text-fg-2"
          style={{ top: top(place) }}
        >
          {text}
        </span>
      ))}
      {scale.stops.length > 0 &&
        (['from', 'to'] as const).map((end) => (
          <RangeEnd key={end} axis={axis} ends={ends} end={end} place={end === 'from' ? from : to} onBegin={onBegin} onRange={onRange} />
        ))}
    </div>
  )
}

interface EndProperties extends Pick<Properties, 'axis' | 'ends' | 'onBegin' | 'onRange'> {
  end: 'from' | 'to'
  place: number
}

function RangeEnd({ axis, ends, end, place, onBegin, onRange }: EndProperties) {
  const { scale, name } = axis
  const value = endAt(scale, ends, end) ?? 0
  const now = (one: string | number) => (scale.kind === 'text' ? scale.stops.indexOf(String(one)) : Number(one))

  function press(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Escape') {
      if (ends) event.stopPropagation()
      return onRange(undefined)
    }
    const next = afterKey(scale, ends, end, event.key)
    if (!next) return
    event.preventDefault()
    onRange(next)
  }

  return (
    <div
      role="slider"
      tabIndex={0}
      className={cx(
        'absolute -left-3 flex size-6 cursor-ns-resize touch-none justify-center rounded-sm',
        end === 'to' ? '-translate-y-full items-end' : 'items-start',
      )}
      style={{ top: top(place) }}
      aria-label={`${name}: ${endNames[end]} kept`}
      aria-orientation="vertical"
      aria-valuemin={now(scale.stops[0] ?? 0)}
      aria-valuemax={now(scale.stops.at(-1) ?? 0)}
      aria-valuenow={now(value)}
      aria-valuetext={valueText(axis, value)}
      onPointerDown={(event) => onBegin(event, end)}
      onKeyDown={press}
    >
      <span aria-hidden className="h-2 w-4 rounded-xs border border-control bg-sheet" />
    </div>
  )
}
