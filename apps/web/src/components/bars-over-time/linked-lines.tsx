import '../series/series.css'
import { BarsOverTime } from './bars-over-time.tsx'
import { PartLink, type TimePart } from './linked-bars.tsx'
import { type Line, pathsOf, type ValueRange } from './line-paths.ts'

interface Properties {
  parts: readonly TimePart[]
  lines: readonly Line[]
  /** What the height stands for. */
  range: ValueRange
  /** Pixels. */
  height: number
}

/** Lines over the parts of a time. Above each part lies a column that leads to its rows, so that a point is easily hit. */
export function LinkedLines({ parts, lines, range, height }: Properties) {
  return (
    <BarsOverTime height={height} newest={parts.at(-1)?.startedAt}>
      <div className="lines-over-time">
        <svg viewBox={`0 0 ${parts.length} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {lines.map(({ tone, values }) => {
            const { line, dots } = pathsOf(values, { range, height })
            return (
              <g key={tone} className={tone} fill="none" stroke="currentColor" strokeLinecap="round">
                <path d={line} strokeWidth="2" vectorEffect="non-scaling-stroke" className="smoothed" />
                <path d={dots} strokeWidth="6" vectorEffect="non-scaling-stroke" />
              </g>
            )
          })}
        </svg>
        {parts.map((part) => (
          <PartLink key={part.startedAt} part={part} />
        ))}
      </div>
    </BarsOverTime>
  )
}
