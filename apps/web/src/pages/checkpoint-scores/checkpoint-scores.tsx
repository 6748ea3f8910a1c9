import '../training/training.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { EvalSummary } from '@heddle/core-api'
import { useMemo } from 'react'
import { useProject } from '../../app/use-project.ts'
import { QueryProblem } from '../../components/query-problem.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { ScoreChart } from '../evaluations/charts/score-chart.tsx'
import { scoresText } from '../evaluations/charts/scores-text.ts'
import { maxRuns, summariesQuery } from '../evaluations/evaluation-queries.ts'
import type { TrainedName } from './checkpoint-of-model.ts'
import { checkpointRunsQuery } from './checkpoint-queries.ts'
import { type CheckpointRun, scoresOfCheckpoints } from './checkpoint-runs.ts'

/** What evaluations found of the checkpoints of a model, over its steps. */
export function CheckpointScores({ trained }: { trained: TrainedName }) {
  const project = useProject()
  return (
    <section aria-labelledby="checkpoint-scores">
      <h2 id="checkpoint-scores">Evaluations of its checkpoints</h2>
      <ShowQuery query={useQuery(checkpointRunsQuery(project, trained))} what="evaluation runs">
        {({ runs, hasMore }) => (
          <>
            {hasMore && <p className="notice">Only the newest {maxRuns} evaluation runs of the project were looked through.</p>}
            {runs.length === 0 ? <p className="muted">No checkpoint was evaluated yet.</p> : <Scores runs={runs} />}
          </>
        )}
      </ShowQuery>
    </section>
  )
}

function Scores({ runs }: { runs: readonly CheckpointRun[] }) {
  const project = useProject()
  const ids = runs.map(({ id }) => id)
  const summaries = useQuery(summariesQuery(project, ids))
  return (
    <>
      {summaries.error && <QueryProblem error={summaries.error} retry={() => void summaries.refetch()} />}
      {summaries.data && <Charts runs={runs} summaries={summaries.data} />}
      <div className="scroll">
        <table aria-label="Evaluations of its checkpoints">
          <thead>
            <tr>
              <th className="number">Step</th>
              <th>Run</th>
              <th>Status</th>
              <th>Scores</th>
              <th>Started</th>
            </tr>
          </thead>
          <tbody>
            {runs
              .toSorted((one, other) => other.step - one.step)
              .map((run) => (
                <tr key={run.id}>
                  <td className="number">{run.step}</td>
                  <td>
                    <Link to="/$entity/$project/evaluations/runs/$run" params={{ ...project, run: run.id }}>
                      {run.name}
                    </Link>
                  </td>
                  <td title={run.exception ?? undefined}>{run.status}</td>
                  <td>{scoresText(summaries.data?.get(run.id))}</td>
                  <td>
                    <Time value={run.started_at} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Charts({ runs, summaries }: { runs: readonly CheckpointRun[]; summaries: ReadonlyMap<string, EvalSummary> }) {
  const charts = useMemo(() => scoresOfCheckpoints(runs, summaries), [runs, summaries])
  return charts.map(({ evaluation, series }) => (
    <section key={evaluation} aria-label={`Scores of ${evaluation} by step`}>
      <h3>{evaluation}</h3>
      <div className="curves">
        {series.map((one) => (
          <ScoreChart
            key={one.name}
            series={one}
            over={{ noun: 'steps', order: `by step ${one.points.map(({ run }) => run.step).join(', ')}`, at: ({ step }) => step }}
          />
        ))}
      </div>
    </section>
  ))
}
