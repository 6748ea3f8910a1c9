import { memo } from 'react'
import type { AxisRow, DrawnAxis } from './axis.ts'
import { colourOf } from './axis-colours.ts'
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

/** The lines of rows over axes: those that are kept over those that are not, and the marked one over all. */
export function AxesLines({ lines, axisCount, kept, colour, marked, label }: Properties) {
  return (
    <svg viewBox={`0 0 ${axisCount * axisDistance} ${plotHeight}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <g className="axes-faded">
        <Paths lines={lines} kept={kept} isKept={false} colour={colour} />
      </g>
      {Array.from({ length: axisCount }, (_, at) => (
        <line key={at} className="axis-rule" x1={axisX(at)} x2={axisX(at)} y1={heightOf(0)} y2={heightOf(1)} />
      ))}
      <g className="axes-kept">
        <Paths lines={lines} kept={kept} isKept colour={colour} />
      </g>
      {marked && (
        <>
          <path className="axis-line-under" d={marked.path} />
          <path className="axis-line-marked" d={marked.path} />
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
    const name = `axis-colour-${step ?? 'none'}`
    const ofColour = paths.get(name) ?? []
    ofColour.push(line.path)
    paths.set(name, ofColour)
  }
  return [...paths].map(([name, data]) => <path key={name} className={name} d={data.join('')} />)
})
