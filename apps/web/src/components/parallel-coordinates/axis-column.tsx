import type { KeyboardEvent, PointerEvent } from 'react'
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

/** An axis with what is written beside it, and the two ends of its range, which keys and the pointer move. */
export function AxisColumn({ axis, ends, left, onBegin, onRange }: Properties) {
  const { scale } = axis
  const places = (['from', 'to'] as const).map((end) => placeOf(scale, endAt(scale, ends, end)) ?? (end === 'from' ? 0 : 1))
  const [from = 0, to = 1] = scale.stops.length === 1 ? [0, 1] : places
  return (
    <div className="axis-column" style={{ left: `${left}%` }}>
      <div className="axis-track" style={{ top: top(1), bottom: `calc(100% - ${top(0)})` }} onPointerDown={(event) => onBegin(event)} />
      {ends && <div className="axis-kept" style={{ top: top(to), bottom: `calc(100% - ${top(from)})` }} />}
      {ticksOf(scale, axis).map(({ place, text }) => (
        <span key={`${place} ${text}`} className="axis-tick" style={{ top: top(place) }} title={text} aria-hidden="true">
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
      className={`axis-end axis-end-${end}`}
      style={{ top: top(place) }}
      aria-label={`${name}: ${endNames[end]} kept`}
      aria-orientation="vertical"
      aria-valuemin={now(scale.stops[0] ?? 0)}
      aria-valuemax={now(scale.stops.at(-1) ?? 0)}
      aria-valuenow={now(value)}
      aria-valuetext={valueText(axis, value)}
      onPointerDown={(event) => onBegin(event, end)}
      onKeyDown={press}
    />
  )
}
