import './evaluations.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { type ProjectName, useProject } from '../../app/use-project.ts'
import { DemoHint } from '../../components/demo-hint.tsx'
import { Empty } from '../../components/empty.tsx'
import { ChooseView } from '../../components/parallel-coordinates/choose-view.tsx'
import { MoreButton, type MorePages } from '../../components/more-button.tsx'
import { Pending } from '../../components/pending.tsx'
import { QueryProblem } from '../../components/query-problem.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { datasetsOfRunsQuery } from './datasets-of-runs.ts'
import { Definitions } from './definitions.tsx'
import { maxRuns, silenceQuery } from './evaluation-queries.ts'
import { ScoreCharts } from './charts/score-charts.tsx'
import {
  isRunning,
  maxFollowed,
  olderRunsQuery,
  plannedRowsQuery,
  progressQuery,
  runCountQuery,
  runPagesQuery,
  useSummaries,
} from './list/list-queries.ts'
import type { ListedRun } from './list/listed-run.ts'
import { RunRow } from './list/run-row.tsx'
import { scalesOf } from './list/spark-scores.ts'

const RunsOverAxes = lazy(() => import('./axes/runs-over-axes.tsx').then(({ RunsOverAxes: view }) => ({ default: view })))

const route = getRouteApi('/$entity/$project/evaluations')

/** Runs that one comparison takes. */
const maxCompared = 8

/** Evaluation runs, the newest first, of which some can be compared. */
export function RunsPage() {
  const project = useProject()
  const query = useInfiniteQuery(runPagesQuery(project))
  return (
    <>
      <h1>Evaluation runs</h1>
      <ShowQuery query={query} what="evaluation runs">
        {({ pages }) =>
          pages[0]?.length ? (
            <RunsTable project={project} pages={pages} more={query} />
          ) : (
            <Empty title="No evaluation runs yet">
              An evaluation asks a model for every row of a dataset and scores the answers. Run one with the evaluation API or a client, and
              it stands here while it runs. To look at some first, <DemoHint />.
            </Empty>
          )
        }
      </ShowQuery>
      <Definitions />
    </>
  )
}

interface RunsTableProperties {
  project: ProjectName
  pages: readonly (readonly ListedRun[])[]
  more: MorePages
}

const noRuns: readonly ListedRun[] = []

function RunsTable({ project, pages, more }: RunsTableProperties) {
  const { chosen: named = '', view } = route.useSearch()
  const navigate = route.useNavigate()
  const given = useMemo(() => named.split(',').filter((id) => id !== ''), [named])
  const paged = useMemo(() => pages.flat(), [pages])
  const unlisted = given.filter((id) => !paged.some((run) => run.id === id)).slice(0, maxCompared)
  // Runs of an address that are older than the pages that were read stand at the end.
  const older = useQuery(olderRunsQuery(project, unlisted))
  const oldest = unlisted.length === 0 ? noRuns : (older.data ?? noRuns)
  const runs = useMemo(() => [...paged, ...oldest], [paged, oldest])
  const chosen = given.filter((id) => runs.some((run) => run.id === id)).slice(0, maxCompared)
  const { summaries, failed, isPending } = useSummaries(project, oldest.length === 0 ? pages : [...pages, oldest])
  const silence = useQuery(silenceQuery(project, runs))
  const planned = useQuery(plannedRowsQuery(project, runs))
  const progress = useQuery(progressQuery(project, runs, planned.data))
  const datasets = useQuery(datasetsOfRunsQuery(project, [...new Set(runs.flatMap(({ evaluation }) => evaluation ?? []))]))
  const count = useQuery({ ...runCountQuery(project), enabled: more.hasNextPage }).data
  const counted = count && `${count.has_more ? 'more than ' : ''}${count.count.toLocaleString('en')}`
  const scales = scalesOf(summaries.values())
  const unfollowed = runs.filter(isRunning).length - maxFollowed
  function toggle(id: string) {
    const changed = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]
    void navigate({ search: (before) => ({ ...before, chosen: changed.join(',') || undefined }), replace: true })
  }
  const chooseView = <ChooseView view={view} onChange={(next) => void navigate({ search: (before) => ({ ...before, view: next }) })} />
  const failure = failed?.error && <QueryProblem error={failed.error} retry={() => void failed.refetch()} />
  if (view === 'axes')
    return (
      <>
        {chooseView}
        {failure}
        <Suspense fallback={<Pending what="the axes" />}>
          <RunsOverAxes
            project={project}
            runs={paged}
            summaries={summaries}
            isPending={isPending}
            count={counted}
            more={more}
            maxCompared={maxCompared}
          />
        </Suspense>
      </>
    )
  return (
    <>
      {chooseView}
      <div className="row">
        {chosen.length >= 2 ? (
          <Link to="/$entity/$project/evaluations/compare" params={project} search={{ ids: oldestFirst(runs, chosen).join(',') }}>
            Compare {chosen.length} runs, the oldest as the baseline
          </Link>
        ) : (
          <span className="muted">Choose two to {maxCompared} runs to compare them.</span>
        )}
      </div>
      {given.length > chosen.length && !older.isFetching && (
        <p className="notice">
          {given.length - chosen.length} of the runs chosen in the address are not among those listed, or are more than {maxCompared}.
        </p>
      )}
      {failure}
      {unfollowed > 0 && (
        <p className="notice">
          The progress of the newest {maxFollowed} running runs is shown; that of {unfollowed.toLocaleString('en')} others is on their
          pages.
        </p>
      )}
      <div className="scroll">
        <table aria-label="Evaluation runs">
          <thead>
            <tr>
              <th>Compare</th>
              <th>Run</th>
              <th>Model</th>
              <th>Dataset</th>
              <th>Status</th>
              <th className="number">Trials</th>
              <th>Scores</th>
              <th className="number">Latency</th>
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
                summary={summaries.get(run.id)}
                scales={scales}
                dataset={datasets.data?.get(run.evaluation ?? '')}
                progress={progress.data?.get(run.id)}
                quietMinutes={silence.data?.get(run.id)}
                isChosen={chosen.includes(run.id)}
                mayChoose={chosen.length < maxCompared}
                onChoose={() => toggle(run.id)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <RunCount counted={counted} count={paged.length} more={more} />
      {!isPending && <ScoreCharts runs={runs} summaries={summaries} />}
    </>
  )
}

/** How many of the runs of the project are listed, and the next ones. */
function RunCount({ counted, count, more }: { counted: string | undefined; count: number; more: MorePages }) {
  const of = counted !== undefined && more.hasNextPage ? ` of ${counted}` : ''
  return (
    <p className="muted" role="status">
      {`${count.toLocaleString('en')}${of} ${count === 1 && of === '' ? 'run' : 'runs'} listed, the newest first`}
      {more.hasNextPage ? '; there are older ones.' : '.'} <MoreButton query={more}>Load {maxRuns} more</MoreButton>
    </p>
  )
}

/** Runs come with the newest first. */
const oldestFirst = (runs: readonly ListedRun[], chosen: readonly string[]) =>
  runs.flatMap(({ id }) => (chosen.includes(id) ? [id] : [])).toReversed()
