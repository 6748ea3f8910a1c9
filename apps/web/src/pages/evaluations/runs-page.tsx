import './evaluations.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { EvalSummary } from '@heddle/core-api'
import type { EvaluationRun } from '@heddle/evaluations'
import { type ProjectName, useProject } from '../../app/use-project.ts'
import { formatDuration } from '../../components/duration.ts'
import { DemoHint } from '../../components/demo-hint.tsx'
import { Empty } from '../../components/empty.tsx'
import { formatCost } from '../../components/format-cost.ts'
import { QueryProblem } from '../../components/query-problem.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { DatasetLink } from './dataset-link.tsx'
import { datasetsOfRunsQuery } from './datasets-of-runs.ts'
import { Definitions } from './definitions.tsx'
import { maxRuns, runsQuery, silenceQuery, summariesQuery } from './evaluation-queries.ts'
import { ScoreCharts } from './charts/score-charts.tsx'
import { scoresText } from './charts/scores-text.ts'

const route = getRouteApi('/$entity/$project/evaluations')

/** Runs that one comparison takes. */
const maxCompared = 8

/** The newest evaluation runs, of which some can be compared. */
export function RunsPage() {
  const project = useProject()
  return (
    <>
      <h1>Evaluation runs</h1>
      <ShowQuery query={useQuery(runsQuery(project))} what="evaluation runs">
        {({ runs, hasMore }) =>
          runs.length === 0 ? (
            <Empty title="No evaluation runs yet">
              An evaluation asks a model for every row of a dataset and scores the answers. Run one with the evaluation API or a client, and
              it stands here while it runs. To look at some first, <DemoHint />.
            </Empty>
          ) : (
            <RunsTable project={project} runs={runs} hasMore={hasMore} />
          )
        }
      </ShowQuery>
      <Definitions />
    </>
  )
}

interface RunsTableProperties {
  project: ProjectName
  runs: readonly EvaluationRun[]
  hasMore: boolean
}

function RunsTable({ project, runs, hasMore }: RunsTableProperties) {
  const { chosen: named = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const given = named.split(',').filter((id) => id !== '')
  const chosen = given.filter((id) => runs.some((run) => run.id === id)).slice(0, maxCompared)
  const summaries = useQuery(
    summariesQuery(
      project,
      runs.map(({ id }) => id),
    ),
  )
  const silence = useQuery(silenceQuery(project, runs))
  const datasets = useQuery(datasetsOfRunsQuery(project, evaluationsOf(summaries.data)))
  function toggle(id: string) {
    const changed = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]
    void navigate({ search: { chosen: changed.join(',') || undefined }, replace: true })
  }
  return (
    <>
      <div className="row">
        {chosen.length >= 2 ? (
          <Link to="/$entity/$project/evaluations/compare" params={project} search={{ ids: oldestFirst(runs, chosen).join(',') }}>
            Compare {chosen.length} runs, the oldest as the baseline
          </Link>
        ) : (
          <span className="muted">Choose two to {maxCompared} runs to compare them.</span>
        )}
      </div>
      {given.length > chosen.length && (
        <p className="notice">
          {given.length - chosen.length} of the runs chosen in the address are not among those listed, or are more than {maxCompared}.
        </p>
      )}
      {summaries.error && <QueryProblem error={summaries.error} retry={() => void summaries.refetch()} />}
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th>Compare</th>
              <th>Run</th>
              <th>Model</th>
              <th>Dataset</th>
              <th>Status</th>
              <th className="number">Trials</th>
              <th>Scores</th>
              <th className="number">Tokens</th>
              <th className="number">Cost</th>
              <th className="number">Took</th>
              <th>Started</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <RunRow
                key={run.id}
                project={project}
                run={run}
                summary={summaries.data?.get(run.id)}
                dataset={datasets.data?.get(summaries.data?.get(run.id)?.evaluation_ref ?? '')}
                quietMinutes={silence.data?.get(run.id)}
                isChosen={chosen.includes(run.id)}
                mayChoose={chosen.length < maxCompared}
                onChoose={() => toggle(run.id)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {summaries.data && <ScoreCharts runs={runs} summaries={summaries.data} />}
      {hasMore && (
        <p className="notice">
          These are the newest {maxRuns} runs. Older ones are in the table of calls, with the op Evaluation.evaluate.
        </p>
      )}
    </>
  )
}

const evaluationsOf = (summaries: ReadonlyMap<string, EvalSummary> = new Map()) => [
  ...new Set([...summaries.values()].flatMap(({ evaluation_ref }) => evaluation_ref ?? [])),
]

/** Runs come with the newest first. */
const oldestFirst = (runs: readonly EvaluationRun[], chosen: readonly string[]) =>
  runs.flatMap(({ id }) => (chosen.includes(id) ? [id] : [])).toReversed()

interface RunRowProperties {
  project: ProjectName
  run: EvaluationRun
  summary: EvalSummary | undefined
  /** Reference to the version it ran on; undefined where that is not known. */
  dataset: string | undefined
  /** For how long a running one has had no news; undefined where that is short. */
  quietMinutes: number | undefined
  isChosen: boolean
  mayChoose: boolean
  onChoose: () => void
}

function RunRow({ project, run, summary, dataset, quietMinutes, isChosen, mayChoose, onChoose }: RunRowProperties) {
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={`Compare ${run.name}, ${run.model ?? 'no model'}`}
          checked={isChosen}
          disabled={!isChosen && !mayChoose}
          onChange={onChoose}
        />
      </td>
      <td className="whole">
        <Link to="/$entity/$project/evaluations/runs/$run" params={{ ...project, run: run.id }}>
          {run.name}
        </Link>
      </td>
      <td className="whole">{run.model ?? <span className="muted">none named</span>}</td>
      <td className="whole">{dataset === undefined ? '–' : <DatasetLink dataset={dataset} />}</td>
      <td className="whole" title={run.exception ?? undefined}>
        {run.status}
        {quietMinutes !== undefined && `, without news for ${quietMinutes.toLocaleString('en')} min`}
      </td>
      <td className="number">{summary?.trial_count ?? '–'}</td>
      <td>{scoresText(summary)}</td>
      <td className="number">{summary?.predict_total_tokens?.toLocaleString('en') ?? '–'}</td>
      <td className="number">{summary?.predict_total_cost == null ? '–' : formatCost(summary.predict_total_cost)}</td>
      <td className="number">{run.duration_us === null ? '–' : formatDuration(run.duration_us / 1_000)}</td>
      <td>
        <Time value={run.started_at} />
      </td>
    </tr>
  )
}
