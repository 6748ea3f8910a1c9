import type { ReactNode } from 'react'
import { ChartFrame } from '../../../plot/frame.tsx'
import { Points } from '../../../plot/drawings.ts'
import type { ComparedRuns } from '../compared-runs.ts'
import { measureText, measureTitle } from '../measure-text.ts'
import { colourOfRun } from '../run-colours.ts'
import { jointValues } from './joint-values.ts'

/** Ranges of both measures that were drawn with the pointer. */
export interface BrushRange {
  x: [from: number, to: number]
  y: [from: number, to: number]
}

interface Properties {
  runs: readonly string[]
  compared: ComparedRuns
  /** Names of the measures. */
  x: string
  y: string
  height: number
  actions: ReactNode
  onBrush: (brushed: BrushRange) => void
}

const maxInTable = 200

/** Two measures of the rows of each run, which differ by shape. Drawing a rectangle selects the rows inside. */
export function Scatter({ runs, compared, x, y, height, actions, onBrush }: Properties) {
  const textOf = (name: string) => {
    const isRate = compared.runs.every(({ measures }) => measures.get(name)?.isRate ?? true)
    return (value: number) => measureText(name, value, isRate)
  }
  const [textX, textY] = [textOf(x), textOf(y)]
  const joint = compared.runs.map(({ measures }) => jointValues(measures.get(x), measures.get(y)))
  const series = runs.map((name, at) => ({ id: String(at), name, color: colourOfRun(at, runs.length) }))
  const pairs = joint.flatMap((one) => one.pairs)
  const left = joint.reduce((sum, { rowsLeftOut }) => sum + rowsLeftOut, 0)
  const range = (values: readonly number[], text: (value: number) => string) =>
    `from ${text(Math.min(...values))} to ${text(Math.max(...values))}`
  return (
    <ChartFrame
      title={`${measureTitle(y)} by ${measureTitle(x)}`}
      name="Distribution"
      height={height}
      actions={actions}
      {...(left > 0 && { note: `${left.toLocaleString('en')} rows are not drawn` })}
      {...(pairs.length === 0 && { state: 'empty' as const })}
      table={{
        columns: ['Run', measureTitle(x), measureTitle(y), 'Rows'],
        rows: joint
          .flatMap((one, run) => one.pairs.map((pair) => [runs[run], textX(pair.x), textY(pair.y), pair.rows]))
          .slice(0, maxInTable),
      }}
    >
      {pairs.length > 0 && (
        <Points
          label={`${measureTitle(y)} ${range(
            pairs.map((pair) => pair.y),
            textY,
          )} by ${measureTitle(x)} ${range(
            pairs.map((pair) => pair.x),
            textX,
          )}, ${pairs.length} different pairs`}
          height={height}
          series={series}
          points={joint.map((one) => one.pairs.map((pair) => ({ x: pair.x, y: pair.y, count: pair.rows })))}
          formatX={textX}
          formatY={textY}
          names={[measureTitle(x), measureTitle(y)]}
          onBrush={onBrush}
        />
      )}
    </ChartFrame>
  )
}
