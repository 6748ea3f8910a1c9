import '../../components/series/series.css'
import { memo, type PointerEvent, useMemo, useState } from 'react'
import { type CurveSearch, defaultSmoothing, placeOf, placeText, rangeOfValues } from './curve-view.ts'
import { CurveTable } from './curve-table.tsx'
import { drawSeries, type DrawnSeries, type Series } from './draw-series.ts'

const width = 320
const height = 120
const pad = 4
/** A drag of less is a click. */
const leastDrag = 6

const text = (value: number) => String(Number(value.toPrecision(4)))

interface Properties {
  name: string
  /** The first is that of the page; further ones are laid over it. */
  series: readonly Series[]
  view: CurveSearch
  /** The step that is shown below. */
  selected: number | undefined
  onSelect: (step: number) => void
  /** Where the pointer is, in all charts of the page. */
  cursor: number | undefined
  onCursor: (place: number | undefined) => void
  onZoom: (from: number, to: number) => void
}

/** A metric over steps or time: the values faint, their average strong, and the selected step as a line. Its caption says the range and the last value. */
export function CurveChart({ name, series, view, selected, onSelect, cursor, onCursor, onZoom }: Properties) {
  const [dragged, setDragged] = useState<[from: number, to: number]>()
  const axis = view.axis ?? 'step'
  const { drawn, range, first, last, shownPoints } = useMemo(() => drawAll(series, view), [series, view])
  const own = drawn[0]
  const x = (place: number) => pad + ((place - first) / (last === first ? 1 : last - first)) * (width - 2 * pad)
  const isThinned = drawn.some((one) => one.isThinned)
  const near = cursor === undefined ? undefined : own && nearest(own, cursor)
  const selectedPlace = shownPoints.find(({ step }) => step === selected)?.place

  const placeAt = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, width: shown } = currentTarget.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (((clientX - left) / shown) * width - pad) / (width - 2 * pad)))
    return first + share * (last - first)
  }
  function end(event: PointerEvent<SVGSVGElement>) {
    const [from, to] = dragged ?? []
    setDragged(undefined)
    if (from === undefined || to === undefined) return
    if (Math.abs(x(to) - x(from)) >= leastDrag) return onZoom(Math.min(from, to), Math.max(from, to))
    const step = own && nearest(own, placeAt(event))?.step
    if (step !== undefined) onSelect(step)
  }

  const lastText = text(own?.points.at(-1)?.last ?? 0)
  const valuesText = range && range.low < range.high ? `last ${lastText}, from ${text(range.low)} to ${text(range.high)}` : lastText

  return (
    <figure className="curve">
      <figcaption>
        <strong>{name}</strong>{' '}
        {range
          ? `${valuesText} in ${shownPoints.length === 1 ? '1 step' : `${shownPoints.length.toLocaleString('en')} steps`}`
          : `has no value${view.scale === 'log' ? ' above 0' : ''} in this part`}
        {isThinned && '; several steps to a point, with their range as a band'}
        {range !== undefined && range.leftOut > 0 && `; ${range.leftOut.toLocaleString('en')} points are outside of the range`}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${name} over ${placeText(first, axis)} to ${placeText(last, axis)}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          const place = placeAt(event)
          setDragged([place, place])
        }}
        onPointerMove={(event) => {
          const place = placeAt(event)
          onCursor(place)
          if (dragged) setDragged([dragged[0], place])
        }}
        onPointerLeave={() => onCursor(undefined)}
        onPointerUp={end}
        onPointerCancel={() => setDragged(undefined)}
      >
        {range && <Lines drawn={drawn} />}
        {selectedPlace !== undefined && (
          <line x1={x(selectedPlace)} x2={x(selectedPlace)} y1="0" y2={height} stroke="currentColor" strokeDasharray="3 3" />
        )}
        {cursor !== undefined && cursor >= first && cursor <= last && (
          <line x1={x(cursor)} x2={x(cursor)} y1="0" y2={height} className="curve-cursor" />
        )}
        {dragged && (
          <rect
            className="curve-zoom"
            x={Math.min(x(dragged[0]), x(dragged[1]))}
            y="0"
            width={Math.abs(x(dragged[1]) - x(dragged[0]))}
            height={height}
          />
        )}
      </svg>
      <p className="muted curve-value">{near ? `${placeText(near.place, axis)}: ${text(near.last)}` : ' '}</p>
      <CurveTable name={name} points={shownPoints} />
    </figure>
  )
}

/** The lines do not depend on the pointer: they are drawn once. */
const Lines = memo(({ drawn }: { drawn: readonly DrawnSeries[] }) =>
  drawn.map(({ label, band, raw, smoothed, dot }, at) => (
    <g key={label} className={`series-${at}`}>
      {band !== '' && <polygon points={band} fill="currentColor" opacity="0.15" />}
      <polyline points={raw} fill="none" stroke="currentColor" strokeWidth="1" opacity="0.4" />
      <polyline points={smoothed} fill="none" stroke="currentColor" strokeWidth="2" className="smoothed" />
      {dot && <circle cx={dot[0]} cy={dot[1]} r="3" fill="currentColor" />}
      <title>{label}</title>
    </g>
  )),
)

function drawAll(series: readonly Series[], view: CurveSearch) {
  const axis = view.axis ?? 'step'
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = view
  const placed = series.map(({ label, points }) => {
    const place = placeOf(points, axis)
    const all = points.map((point) => ({ ...point, place: place(point) }))
    return { label, points: all.filter((point) => point.place >= from && point.place <= to) }
  })
  const all = placed.flatMap(({ points }) => points)
  const range = rangeOfValues(
    all.map(({ value }) => value),
    view,
  )
  const ends = all.reduce<[number, number] | undefined>(
    (found, { place }) => (found ? [Math.min(found[0], place), Math.max(found[1], place)] : [place, place]),
    undefined,
  )
  const [first, last] = ends ?? [0, 0]
  const box = { width, height, pad, first, last, range, isLog: view.scale === 'log', smoothing: view.smooth ?? defaultSmoothing }
  return { drawn: placed.map((one) => drawSeries(one, box)), range, first, last, shownPoints: placed[0]?.points ?? [] }
}

/** The point of a series that is nearest to a place. */
function nearest({ points }: DrawnSeries, place: number) {
  let found = points[0]
  for (const point of points) if (found && Math.abs(point.place - place) < Math.abs(found.place - place)) found = point
  return found
}
