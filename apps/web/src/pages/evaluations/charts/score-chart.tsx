import type { EvaluationRun } from '@heddle/evaluations'
import { Link, useLinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProject } from '../../../app/use-project.ts'
import { numberText } from './number-text.ts'
import type { ScoreSeries } from './scores-over-runs.ts'

const [width, height, pad] = [320, 100, 8]

/** What the points of a chart follow each other by. */
interface Order<Run extends EvaluationRun> {
  /** What there are several of. */
  noun: string
  /** For those who do not see the chart. */
  order: string
  /** Place of a run on the horizontal axis, growing. Default: at equal distances. */
  at?: (run: Run) => number
}

interface Properties<Run extends EvaluationRun> {
  /** At least two points. */
  series: ScoreSeries<Run>
  over: Order<Run>
}

/**
 * A score over several runs. Rates are drawn from 0 to 1, other scores from their lowest to their highest. A point leads to its run; so does the
 * table below the chart, for those who use no pointer.
 */
export function ScoreChart<Run extends EvaluationRun>({ series: { name, isRate, points }, over: { noun, order, at } }: Properties<Run>) {
  const project = useProject()
  const places = points.map(({ run }, place) => at?.(run) ?? place)
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0]
  const values = points.map(({ value }) => value)
  const [low, high] = isRate ? [0, 1] : [Math.min(...values), Math.max(...values)]
  const x = (place: number) => pad + (((places[place] ?? 0) - first) / (last - first)) * (width - 2 * pad)
  const y = (value: number) => height - pad - (high === low ? 0.5 : (value - low) / (high - low)) * (height - 2 * pad)
  const text = (value: number) => numberText(value, isRate)
  // So that no point covers the one beside it.
  const room = Math.max(1.5, Math.min(...places.slice(1).map((_, at) => x(at + 1) - x(at))) / 2)
  return (
    <figure className="curve" aria-label={`${name} ${order}: ${values.map(text).join(', ')}`}>
      <figcaption>
        <strong>{name}</strong> last {text(values.at(-1) ?? 0)}, from {text(Math.min(...values))} to {text(Math.max(...values))} in{' '}
        {points.length} {noun}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <polyline
          points={values.map((value, place) => `${x(place)},${y(value)}`).join(' ')}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
        />
        {points.map(({ run, value }, place) => (
          <PointLink key={run.id} run={run.id} measure={name}>
            <circle cx={x(place)} cy={y(value)} r={Math.min(4, room)} fill="currentColor" />
            {/* Larger than what is drawn where there is room, so that it is easily hit. */}
            <circle cx={x(place)} cy={y(value)} r={Math.min(10, room)} fill="transparent">
              <title>{`${run.name}${run.model === null ? '' : `, ${run.model}`}: ${text(value)}`}</title>
            </circle>
          </PointLink>
        ))}
      </svg>
      <details>
        <summary>As a table</summary>
        <div className="scroll">
          <table aria-label={`${name} ${order}`}>
            <thead>
              <tr>
                <th>Run</th>
                <th>Model</th>
                <th className="number">{name}</th>
              </tr>
            </thead>
            <tbody>
              {points.map(({ run, value }) => (
                <tr key={run.id}>
                  <td className="whole">
                    <Link to="/$entity/$project/evaluations/runs/$run" params={{ ...project, run: run.id }} search={{ measure: name }}>
                      {run.name}
                    </Link>
                  </td>
                  <td className="whole">{run.model ?? '–'}</td>
                  <td className="number">{text(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

/** Out of the order of the tabulator, as the table has the same links. */
function PointLink({ run, measure, children }: { run: string; measure: string; children: ReactNode }) {
  const project = useProject()
  const link = useLinkProps({ to: '/$entity/$project/evaluations/runs/$run', params: { ...project, run }, search: { measure } })
  return (
    <a {...link} tabIndex={-1}>
      {children}
    </a>
  )
}
