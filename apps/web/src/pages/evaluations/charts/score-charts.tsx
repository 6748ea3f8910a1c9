import '../../training/training.css'
import type { EvalSummary } from '@heddle/core-api'
import type { EvaluationRun } from '@heddle/evaluations'
import { useMemo } from 'react'
import { numberText } from './number-text.ts'
import { type ScoreSeries, scoresOverRuns } from './scores-over-runs.ts'

const [width, height, pad] = [320, 100, 8]
const shownAtFirst = 3

interface Properties {
  runs: readonly EvaluationRun[]
  summaries: ReadonlyMap<string, EvalSummary>
}

/** How scores went from run to run. Nothing where no score is in two of them. */
export function ScoreCharts({ runs, summaries }: Properties) {
  const series = useMemo(() => scoresOverRuns(runs, summaries), [runs, summaries])
  if (series.length === 0) return null
  const further = series.slice(shownAtFirst)
  return (
    <section aria-label="Scores over runs">
      <h2>Scores over runs</h2>
      <div className="curves">
        {series.slice(0, shownAtFirst).map((one) => (
          <ScoreChart key={one.name} series={one} />
        ))}
      </div>
      {further.length > 0 && (
        <details>
          <summary>{further.length === 1 ? 'One more score' : `${further.length} more scores`}</summary>
          <div className="curves">
            {further.map((one) => (
              <ScoreChart key={one.name} series={one} />
            ))}
          </div>
        </details>
      )}
    </section>
  )
}

/** Rates are drawn from 0 to 1, other scores from their lowest to their highest. */
function ScoreChart({ series: { name, isRate, points } }: { series: ScoreSeries }) {
  const values = points.map(({ value }) => value)
  const [low, high] = isRate ? [0, 1] : [Math.min(...values), Math.max(...values)]
  const x = (at: number) => pad + (at / (points.length - 1)) * (width - 2 * pad)
  const y = (value: number) => height - pad - (high === low ? 0.5 : (value - low) / (high - low)) * (height - 2 * pad)
  const text = (value: number) => numberText(value, isRate)
  return (
    <figure className="curve">
      <figcaption>
        <strong>{name}</strong> last {text(values.at(-1) ?? 0)}, from {text(Math.min(...values))} to {text(Math.max(...values))} in{' '}
        {points.length} runs
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${name} from the oldest to the newest run: ${values.map(text).join(', ')}`}
      >
        <polyline points={values.map((value, at) => `${x(at)},${y(value)}`).join(' ')} fill="none" stroke="currentColor" strokeWidth="2" />
        {points.map(({ run, value }, at) => (
          <circle key={run.id} cx={x(at)} cy={y(value)} r="4" fill="currentColor">
            <title>{`${run.name}${run.model === null ? '' : `, ${run.model}`}: ${text(value)}`}</title>
          </circle>
        ))}
      </svg>
    </figure>
  )
}
