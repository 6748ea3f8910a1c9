import { memo } from 'react'
import type { AxisRow, DrawnAxis } from './axis.ts'
import { colourOf, strokeOfNone, strokes } from './axis-colours.ts'
import { type AxisLine, axisDistance, axisX, heightOf, plotHeight } from './axis-lines.ts'

interface Properties {
  lines: readonly AxisLine[]
  axisCount: number
  kept: ReadonlySet<AxisRow>
  colour: DrawnAxis | undefined
  /** The line under the pointer, or whose row has the focus. */
  marked: AxisLine | undefined
  label: string
}

/** The lines of rows over axes: matching rows above the rest, and the marked one on top. */
export function AxesLines({ lines, axisCount, kept, colour, marked, label }: Properties) {
  return (
    <svg
      viewBox={`0 0 ${axisCount * axisDistance} ${plotHeight}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      fill="none"
      className="absolute size-full *:[vector-effect:non-scaling-stroke] **:[vector-effect:non-scaling-stroke]"
    >
      <g strokeWidth="1">
        <Paths lines={lines} kept={kept} isKept={false} colour={colour} />
      </g>
      {Array.from({ length: axisCount }, (_, at) => (
        <line key={String(at)} stroke="var(--line-2)" strokeWidth="1.5" x1={axisX(at)} x2={axisX(at)} y1={heightOf(0)} y2={heightOf(1)} />
      ))}
      <g strokeWidth="1.5">
        <Paths lines={lines} kept={kept} isKept colour={colour} />
      </g>
      {marked && (
        <>
          <path stroke="var(--sheet)" strokeWidth="6" d={marked.path} />
          <path stroke="var(--fg)" strokeWidth="3" strokeDasharray="8 3" d={marked.path} />
        </>
      )}
    </svg>
  )
}

interface PathsProperties extends Pick<Properties, 'lines' | 'kept' | 'colour'> {
  isKept: boolean
}

/** One path for each colour: hundreds of elements would be slower to move. */
const Paths = memo(function Paths({ lines, kept, isKept, colour }: PathsProperties) {
  const paths = new Map<string, string[]>()
  for (const line of lines) {
    if (kept.has(line.row) !== isKept) continue
    const step = colour && isKept ? colourOf(colour.scale, line.row.values.get(colour.id)) : undefined
    const stroke = isKept ? (step === undefined ? strokeOfNone : (strokes[step] ?? strokeOfNone)) : 'var(--line)'
    const ofColour = paths.get(stroke) ?? []
    ofColour.push(line.path)
    paths.set(stroke, ofColour)
  }
  return [...paths].map(([stroke, data]) => <path key={stroke} stroke={stroke} d={data.join('')} />)
})
