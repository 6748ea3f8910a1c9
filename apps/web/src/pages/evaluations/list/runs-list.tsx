import type { EvalSummary } from '@heddle/core-api/types'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { Suspense, useMemo } from 'react'
import { sum } from '../../../lib/sum.ts'
import type { ProjectName } from '../../../lib/use-project.ts'
import { formatCost } from '../../../lib/texts/format-cost.ts'
import { MoreButton, type MorePages, readAhead } from '../../../ui/table/more-button.tsx'
import { Pending } from '../../../ui/states/pending.tsx'
import { QueryProblem } from '../../../ui/states/query-problem.tsx'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState, Skeleton } from '../../../ui/card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageFooter } from '../../../ui/page.tsx'
import { ColumnsMenu } from '../../../ui/table/columns-menu.tsx'
import { type Column, movedOver } from '../../../ui/table/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { useGridPreferences } from '../../../ui/table/preferences.ts'
import { scoresOverRuns } from '../../../features/evaluations/scores-over-runs.ts'
import type { RunsSearch } from '../comparison-search.ts'
import { maxRuns, silenceQuery } from '../../../features/evaluations/evaluation-queries.ts'
import type { Definition } from '../to-definition.ts'
import { definitionsOfRunsQuery } from './definitions-of-runs.ts'
import { evaluationOf, filterRuns } from './filter-runs.ts'
import { isRunning, maxFollowed, listedRunsQuery, plannedRowsQuery, progressQuery, runCountQuery, useSummaries } from './list-queries.ts'
import type { ListedRun } from '../listed-run.ts'
import { subjectNames } from './subject-names.ts'
import { runColumns, type RunOfList, usualColumns } from './run-columns.tsx'
import { RunsToolbar } from './runs-toolbar.tsx'
import { RunsTrend } from './runs-trend.tsx'
import { namesOfScores, scalesOf } from '../../../features/evaluations/spark-scores.ts'
import { drawnEvaluation } from './trend-of-runs.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'

const RunsOverAxes = lazyPart(() => import('../axes/runs-over-axes.tsx').then(({ RunsOverAxes }) => RunsOverAxes))

const route = getRouteApi('/$entity/$project/evaluations')

/** Runs that one comparison takes. */
const maxCompared = 8
const gridName = 'evaluation-runs'
const noRuns: readonly ListedRun[] = []
const idOf = ({ run }: RunOfList) => run.id
const nameOf = ({ run }: RunOfList) => `${readableName(run.name)}, ${run.model === null ? 'no model' : readableName(run.model)}`
const toneOf = ({ run }: RunOfList) => (run.status === 'failed' ? 'red' : undefined)

interface Properties {
  project: ProjectName
  pages: readonly (readonly ListedRun[])[]
  more: MorePages
}

/** The runs of a project, the newest first, of which some can be compared. */
export function RunsList({ project, pages, more }: Properties) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (part: RunsSearch) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  const given = useMemo(() => (search.chosen ?? '').split(',').filter((id) => id !== ''), [search.chosen])
  const paged = useMemo(() => pages.flat(), [pages])
  const unlisted = given.filter((id) => !paged.some((run) => run.id === id)).slice(0, maxCompared)
  // Runs of an address that are older than the loaded pages are at the end.
  const older = useQuery(listedRunsQuery(project, unlisted))
  const oldest = unlisted.length === 0 ? noRuns : (older.data ?? noRuns)
  const runs = useMemo(() => [...paged, ...oldest], [paged, oldest])
  const { summaries, failed, isPending } = useSummaries(project, oldest.length === 0 ? pages : [...pages, oldest])
  const chosen = useMemo(() => given.filter((id) => runs.some((run) => run.id === id)).slice(0, maxCompared), [given, runs])
  const evaluations = useMemo(() => [...new Set(runs.map(evaluationOf))], [runs])
  const count = useQuery({ ...runCountQuery(project), enabled: more.hasNextPage }).data
  const counted = count && `${count.has_more ? 'more than ' : ''}${count.count.toLocaleString('en')}`
  const unfollowed = runs.filter(isRunning).length - maxFollowed
  const shown = useMemo(() => filterRuns(runs, search), [runs, search])
  const scores = useMemo(() => namesOfScores(summaries.values()), [summaries])
  const columns = useMemo(() => runColumns(project, scores, scalesOf(summaries.values())), [project, scores, summaries])
  const wanted = search.columns ?? usualColumns(scores, runs)
  const toolbar = (
    <RunsToolbar
      project={project}
      search={search}
      evaluations={evaluations}
      chosen={runs.flatMap(({ id }) => (chosen.includes(id) ? [id] : [])).toReversed()}
      maxCompared={maxCompared}
      onChange={change}
      columns={
        search.view === undefined && <RunColumnsMenu columns={columns} wanted={wanted} onChange={(ids) => change({ columns: ids })} />
      }
    />
  )
  const notices = (
    <>
      {failed?.error && <QueryProblem error={failed.error} retry={() => void failed.refetch()} />}
      {given.length > chosen.length && !older.isFetching && (
        <Notice
          title={`${given.length - chosen.length} of the runs chosen in the address are not among those listed, or are more than ${maxCompared}`}
        />
      )}
      {unfollowed > 0 && (
        <Notice
          title={`The progress of the newest ${maxFollowed} running runs is shown; that of ${unfollowed.toLocaleString('en')} others is on their pages`}
        />
      )}
    </>
  )
  if (search.view === 'axes')
    return (
      <div className="min-h-0 grow overflow-auto">
        {toolbar}
        <div className="border-t border-line p-4">
          {notices}
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
        </div>
      </div>
    )
  return (
    <>
      <Trend
        project={project}
        runs={shown}
        evaluation={search.evaluation}
        score={search.score}
        summaries={summaries}
        isPending={isPending}
        onScore={(score) => change({ score })}
      />
      {toolbar}
      <div className="flex flex-col gap-2 px-4 pb-2 empty:hidden">{notices}</div>
      <RunsTable
        project={project}
        runs={shown}
        summaries={summaries}
        columns={columns}
        wanted={wanted}
        chosen={chosen}
        onChoose={(ids) => change({ chosen: ids.slice(0, maxCompared).join(',') || undefined })}
        onEnd={() => readAhead(more)}
        onClear={() => change({ find: undefined, evaluation: undefined, status: undefined })}
      />
      <RunsFooter counted={counted} listed={paged.length} shown={shown} isPart={shown !== runs} summaries={summaries} more={more} />
    </>
  )
}

interface TrendProperties {
  project: ProjectName
  runs: readonly ListedRun[]
  evaluation: string | undefined
  score: string | undefined
  summaries: ReadonlyMap<string, EvalSummary>
  /** Whether summaries of runs are still read. */
  isPending: boolean
  onScore: (name: string) => void
}

function Trend({ project, runs, evaluation: wanted, score, summaries, isPending, onScore }: TrendProperties) {
  const definitions = useDefinitions(project, runs)
  const evaluation = wanted ?? drawnEvaluation(runs)
  const series = useMemo(() => {
    const drawn = runs.filter((run) => run.status === 'completed' && (evaluation === undefined || evaluationOf(run) === evaluation))
    // Excluding runs whose evaluation was deleted: their number of trials per row is unknown.
    return scoresOverRuns(drawn, summaries, (run) => isSingle(definitions?.get(run.evaluation ?? '')))
  }, [runs, evaluation, summaries, definitions])
  if (isPending) return runs.length > 1 && <TrendSkeleton />
  return (
    <RunsTrend
      evaluation={evaluation}
      series={series}
      score={score}
      summaries={summaries}
      datasetOf={(run) => definitions?.get(run.evaluation ?? '')?.dataset ?? ''}
      onScore={onScore}
    />
  )
}

const isSingle = (definition: Definition | undefined) => definition !== undefined && (definition.trials ?? 1) === 1

/** As high as the content that replaces it. */
const TrendSkeleton = () => (
  <div aria-busy="true" className="shrink-0 border-b border-line p-4">
    <Skeleton className="h-36" />
  </div>
)

const useDefinitions = (project: ProjectName, runs: readonly ListedRun[]) =>
  useQuery(definitionsOfRunsQuery(project, [...new Set(runs.flatMap(({ evaluation }) => evaluation ?? []))])).data

interface TableProperties {
  project: ProjectName
  runs: readonly ListedRun[]
  summaries: ReadonlyMap<string, EvalSummary>
  columns: readonly Column<RunOfList>[]
  /** Ids of the columns that are shown. */
  wanted: readonly string[]
  chosen: readonly string[]
  onChoose: (ids: readonly string[]) => void
  onEnd: () => void
  onClear: () => void
}

function RunsTable({ project, runs, summaries, columns, wanted, chosen, onChoose, onEnd, onClear }: TableProperties) {
  const navigate = useNavigate()
  const silence = useQuery(silenceQuery(project, runs)).data
  const planned = useQuery(plannedRowsQuery(project, runs)).data
  const progress = useQuery(progressQuery(project, runs, planned)).data
  const definitions = useDefinitions(project, runs)
  const names = useMemo(() => subjectNames(runs), [runs])
  const rows = useMemo(
    () =>
      runs.map((run): RunOfList => ({
        run,
        subject: names.get(run.model ?? ''),
        summary: summaries.get(run.id),
        dataset: definitions?.get(run.evaluation ?? '')?.dataset,
        progress: progress?.get(run.id),
        quietMinutes: silence?.get(run.id),
      })),
    [runs, names, summaries, definitions, progress, silence],
  )
  const shown = wanted.join()
  const hidden = useMemo(() => columns.flatMap(({ id }) => (wanted.includes(id) || id === 'name' ? [] : [id])), [columns, shown])
  const selection = useMemo(() => new Set(chosen), [chosen])
  return (
    <div className="flex min-h-0 grow flex-col border-t border-line">
      <DataTable
        label="Evaluation runs"
        name={gridName}
        rows={rows}
        columns={columns}
        hidden={hidden}
        rowId={idOf}
        rowName={nameOf}
        tone={toneOf}
        onOpen={({ run }) => void navigate({ to: '/$entity/$project/evaluations/runs/$run', params: { ...project, run: run.id } })}
        selection={selection}
        onSelection={(ids) => onChoose([...ids])}
        onEnd={onEnd}
        empty={<EmptyState icon={SearchX} title="No runs match" actions={<Button onClick={onClear}>Clear filters</Button>} />}
      />
    </div>
  )
}

interface ColumnsProperties {
  columns: readonly Column<RunOfList>[]
  wanted: readonly string[]
  /** Undefined: the usual ones. */
  onChange: (ids: string[] | undefined) => void
}

/** Shows and hides columns. The address keeps which; this browser keeps their order. */
function RunColumnsMenu({ columns, wanted, onChange }: ColumnsProperties) {
  const [{ order }, keep] = useGridPreferences(gridName)
  const placeOf = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
  const sorted = columns.toSorted((one, other) => placeOf(one.id) - placeOf(other.id))
  const isShown = (id: string) => id === 'name' || wanted.includes(id)
  return (
    <ColumnsMenu
      columns={[...sorted.filter(({ id }) => isShown(id)), ...sorted.filter(({ id }) => !isShown(id))].map(({ id, title }) => ({
        id,
        title,
        isShown: isShown(id),
        isFixed: id === 'name',
      }))}
      onShow={(id, isOn) => onChange(isOn ? [...wanted, id] : wanted.filter((one) => one !== id))}
      onMove={(id, over) =>
        keep({
          order: movedOver(
            sorted.map((column) => column.id),
            id,
            over,
          ),
        })
      }
      onReset={() => {
        keep({ order: [], widths: {} })
        onChange(undefined)
      }}
    />
  )
}

interface FooterProperties {
  counted: string | undefined
  listed: number
  shown: readonly ListedRun[]
  isPart: boolean
  summaries: ReadonlyMap<string, EvalSummary>
  more: MorePages
}

/** How many of the runs of the project are listed, and the next ones. */
function RunsFooter({ counted, listed, shown, isPart, summaries, more }: FooterProperties) {
  const of = counted !== undefined && more.hasNextPage ? ` of ${counted}` : ''
  const costs = shown.flatMap(({ id }) => summaries.get(id)?.predict_total_cost ?? [])
  return (
    <PageFooter>
      <span role="status" className="num whitespace-nowrap">
        {isPart && `${shown.length.toLocaleString('en')} of `}
        {`${listed.toLocaleString('en')}${isPart ? ' loaded' : of} ${listed === 1 && of === '' ? 'run' : 'runs'}`}
      </span>
      <MoreButton query={more}>Load {maxRuns} more</MoreButton>
      {costs.length > 0 && <span className="num truncate max-lg:hidden">{`${formatCost(sum(costs))} in these runs`}</span>}
    </PageFooter>
  )
}
