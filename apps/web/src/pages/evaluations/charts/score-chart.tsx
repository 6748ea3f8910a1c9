import type { EvaluationRun } from '@heddle/evaluations'
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

/** A score over several runs. Rates are drawn from 0 to 1, other scores from their lowest to their highest. */
export function ScoreChart<Run extends EvaluationRun>({ series: { name, isRate, points }, over: { noun, order, at } }: Properties<Run>) {
  const places = points.map(({ run }, place) => at?.(run) ?? place)
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0]
  const values = points.map(({ value }) => value)
  const [low, high] = isRate ? [0, 1] : [Math.min(...values), Math.max(...values)]
  const x = (place: number) => pad + (((places[place] ?? 0) - first) / (last - first)) * (width - 2 * pad)
  const y = (value: number) => height - pad - (high === low ? 0.5 : (value - low) / (high - low)) * (height - 2 * pad)
  const text = (value: number) => numberText(value, isRate)
  return (
    <figure className="curve">
      <figcaption>
        <strong>{name}</strong> last {text(values.at(-1) ?? 0)}, from {text(Math.min(...values))} to {text(Math.max(...values))} in{' '}
        {points.length} {noun}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${name} ${order}: ${values.map(text).join(', ')}`}>
        <polyline
          points={values.map((value, place) => `${x(place)},${y(value)}`).join(' ')}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
        />
        {points.map(({ run, value }, place) => (
          <circle key={run.id} cx={x(place)} cy={y(value)} r="4" fill="currentColor">
            <title>{`${run.name}${run.model === null ? '' : `, ${run.model}`}: ${text(value)}`}</title>
          </circle>
        ))}
      </svg>
    </figure>
  )
}
