import { useState } from 'react'
import type { Measure } from '@heddle/evaluations'
import { jointValues, type JointValue } from './joint-values.ts'
import { numberText } from './number-text.ts'

const [width, height, pad] = [420, 260, 28]
const marks = ['●', '■', '▲', '◆', '✚', '★', '○', '□']
const [leastSize, mostSize] = [9, 22]
/** Marks of runs with the same values do not hide each other. */
const besideEachOther = 6

interface Axis {
  name: string
  /** In the order of the runs. */
  measures: readonly (Measure | undefined)[]
}

/** Ranges of both measures that were drawn with the pointer. */
export interface Brushed {
  x: [from: number, to: number]
  y: [from: number, to: number]
}

interface Properties {
  runs: readonly string[]
  x: Axis
  y: Axis
  onBrush: (brushed: Brushed) => void
}

/** Two measures of the rows of each run, told apart by their marks. A rectangle that is drawn over them chooses their rows. */
export function Scatter({ runs, x, y, onBrush }: Properties) {
  const [drawn, setDrawn] = useState<{ from: Point; to: Point }>()
  const series = runs.map((run, at) => ({ run, ...jointValues(x.measures[at], y.measures[at]) }))
  const pairs = series.flatMap((one) => one.pairs)
  if (pairs.length === 0) return <p className="muted">No row has both values.</p>
  const scaleX = scaleOf(pairs, 'x', pad, width - pad)
  const scaleY = scaleOf(pairs, 'y', height - pad, pad)
  const most = Math.max(...pairs.map(({ rows }) => rows))
  const size = (rows: number) => leastSize + (mostSize - leastSize) * Math.sqrt((rows - 1) / Math.max(1, most - 1))
  const text = (value: number, { measures }: Axis) =>
    numberText(
      value,
      measures.every((one) => one?.isRate ?? true),
    )
  const left = series.reduce((sum, { rowsLeftOut }) => sum + rowsLeftOut, 0)

  function end() {
    setDrawn(undefined)
    if (!drawn || Math.abs(drawn.from.x - drawn.to.x) + Math.abs(drawn.from.y - drawn.to.y) < 6) return
    const [one, other] = [drawn.from, drawn.to]
    const ordered = (a: number, b: number): [number, number] => (a < b ? [a, b] : [b, a])
    onBrush({ x: ordered(scaleX.invert(one.x), scaleX.invert(other.x)), y: ordered(scaleY.invert(one.y), scaleY.invert(other.y)) })
  }

  return (
    <figure className="scatter">
      <figcaption>
        <strong>
          {y.name} by {x.name}
        </strong>
        {`: ${runs.map((run, at) => `${marks[at]} ${run}`).join(', ')}; a larger mark is more rows`}
        {left > 0 && `; ${left.toLocaleString('en')} rows are not drawn`}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${y.name} from ${text(scaleY.low, y)} to ${text(scaleY.high, y)} by ${x.name} from ${text(scaleX.low, x)} to ${text(scaleX.high, x)}, ${pairs.length} different pairs`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          const from = pointOf(event)
          setDrawn({ from, to: from })
        }}
        onPointerMove={(event) => drawn && setDrawn({ ...drawn, to: pointOf(event) })}
        onPointerUp={end}
        onPointerCancel={() => setDrawn(undefined)}
      >
        <text x={pad} y={height - 6}>
          {text(scaleX.low, x)}
        </text>
        <text x={width - pad} y={height - 6} textAnchor="end">
          {text(scaleX.high, x)}
        </text>
        <text x={2} y={14}>
          {text(scaleY.high, y)}
        </text>
        <text x={2} y={height - pad}>
          {text(scaleY.low, y)}
        </text>
        {series.map(({ run, pairs: own }, at) =>
          own.map((pair) => (
            <text
              key={`${run} ${pair.x} ${pair.y}`}
              className={`mark run-${at}`}
              x={scaleX.at(pair.x) + (at - (series.length - 1) / 2) * besideEachOther}
              y={scaleY.at(pair.y)}
              textAnchor="middle"
              dominantBaseline="central"
              fontSize={size(pair.rows)}
            >
              {marks[at]}
              <title>{`${run}: ${x.name} ${text(pair.x, x)}, ${y.name} ${text(pair.y, y)}, ${pair.rows} rows`}</title>
            </text>
          )),
        )}
        {drawn && (
          <rect
            className="brushed"
            x={Math.min(drawn.from.x, drawn.to.x)}
            y={Math.min(drawn.from.y, drawn.to.y)}
            width={Math.abs(drawn.from.x - drawn.to.x)}
            height={Math.abs(drawn.from.y - drawn.to.y)}
          />
        )}
      </svg>
    </figure>
  )
}

interface Point {
  x: number
  y: number
}

function pointOf({ clientX, clientY, currentTarget }: React.PointerEvent<SVGSVGElement>): Point {
  const box = currentTarget.getBoundingClientRect()
  return { x: ((clientX - box.left) / box.width) * width, y: ((clientY - box.top) / box.height) * height }
}

/** From values to places in the chart and back; a single value is in the middle. */
function scaleOf(pairs: readonly JointValue[], axis: 'x' | 'y', start: number, end: number) {
  const [first] = pairs
  let [low, high] = [first?.[axis] ?? 0, first?.[axis] ?? 0]
  for (const pair of pairs) [low, high] = [Math.min(low, pair[axis]), Math.max(high, pair[axis])]
  const range = high - low
  return {
    low,
    high,
    at: (value: number) => (range === 0 ? (start + end) / 2 : start + ((value - low) / range) * (end - start)),
    invert: (place: number) => {
      const share = (place - start) / (end - start)
      return range === 0 ? low + (share - 0.5) : low + share * range
    },
  }
}
