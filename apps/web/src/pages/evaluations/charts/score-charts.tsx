import '../../training/training.css'
import type { EvalSummary } from '@heddle/core-api'
import type { EvaluationRun } from '@heddle/evaluations'
import { useMemo } from 'react'
import { ScoreChart } from './score-chart.tsx'
import { scoresOverRuns } from './scores-over-runs.ts'

const shownAtFirst = 3
const overRuns = { noun: 'runs', order: 'from the oldest to the newest run' }

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
          <ScoreChart key={one.name} series={one} over={overRuns} />
        ))}
      </div>
      {further.length > 0 && (
        <details>
          <summary>{further.length === 1 ? 'One more score' : `${further.length} more scores`}</summary>
          <div className="curves">
            {further.map((one) => (
              <ScoreChart key={one.name} series={one} over={overRuns} />
            ))}
          </div>
        </details>
      )}
    </section>
  )
}
