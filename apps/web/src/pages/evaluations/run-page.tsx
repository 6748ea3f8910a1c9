import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { EvaluationRun } from '@heddle/evaluations'
import { latencyMeasure, meanOf, percentile, scoresFirst, tokensMeasure, valuesOf } from '@heddle/evaluations'
import { ArrowDownToLine, ExternalLink, GitCompareArrows, MessageSquareText, SearchX, Spool, TriangleAlert } from 'lucide-react'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { useProject } from '../../lib/use-project.ts'
import { countText } from '../../lib/texts/count-text.ts'
import { formatDuration } from '../../lib/time/duration.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { LongText } from '../../ui/texts/long-text.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { TimeInColumn } from '../../ui/time/time.tsx'
import type { Condition } from '../../features/filter/call-condition.ts'
import { NameTag, StatusText } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, EmptyState } from '../../ui/card.tsx'
import { Fold } from '../../ui/fold.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Pending } from '../../ui/states/pending.tsx'
import { type StatItem, Stats } from '../../ui/stat.tsx'
import { TextButton } from '../../ui/text-button.tsx'
import { numberText } from '../../lib/texts/number-text.ts'
import { SecondChart } from './charts/second-chart.tsx'
import { type ClassChoice, classChoice } from './classes/class-choice.ts'
import { chooseRows, type ComparedRuns, countChoices, pairRuns } from './compared-runs.ts'
import type { RunSearch } from './comparison-search.ts'
import {
  namedRunsQuery,
  refreshMs,
  type Results,
  resultsQuery,
  rowsAtOnce,
  silenceQuery,
  summariesQuery,
} from '../../features/evaluations/evaluation-queries.ts'
import { DatasetLink } from './dataset-link.tsx'
import { definitionsOfRunsQuery } from './list/definitions-of-runs.ts'
import { listedRunsQuery } from './list/list-queries.ts'
import { EvaluationsLink } from './evaluations-link.tsx'
import { ExportMenu } from './export/export-menu.tsx'
import { columnsQuery } from './intervals/columns-query.ts'
import type { MeasuredColumn } from './intervals/measured-columns.ts'
import { measureText, measureTitle } from './measure-text.ts'
import { ActiveFilters } from './rows/active-filters.tsx'
import { FilterButton } from './rows/filter-button.tsx'
import { ResultRows } from './rows/result-rows.tsx'
import { RowsLeftOut } from './rows/rows-left-out.tsx'
import { RowsToolbar } from './rows/rows-toolbar.tsx'
import { rangesOf, type ScoreRanges } from './rows/score-range.ts'
import { runIcons, runStatusTitles } from './run-icons.ts'
import { PartItems, PartNotices } from './splits/part-items.tsx'
import { rowsOfPart } from './splits/row-splits.ts'
import { lazyDialog, lazyPart } from '../../ui/lazy-part.tsx'
import { numberColumn } from '../../ui/table/column-kinds.tsx'

const AskDialog = lazyDialog(() => import('../../features/assistant/ask-dialog.tsx').then(({ AskDialog }) => AskDialog))
const RowView = lazyPart(() => import('./rows/row-view.tsx').then(({ RowView }) => RowView))

const route = getRouteApi('/$entity/$project/evaluations/runs/$run')
/** Height of a chart next to this many measures. */
const chartHeight = (measures: number) => Math.max(176, Math.min(400, 24 + measures * 38))

/** One evaluation run: its measures, and the rows, failed ones first. */
export function RunPage() {
  const project = useProject()
  const { run: id } = route.useParams()
  const runs = useQuery(namedRunsQuery(project, [id]))
  const [most, setMost] = useState(rowsAtOnce)
  const isRunning = runs.data?.[0]?.status === 'running'
  const results = useQuery({ ...resultsQuery(project, [id], most), refetchInterval: isRunning ? refreshMs : false })
  const wasRunning = useRef(false)
  useEffect(() => {
    // The last rows arrived after the last read.
    if (wasRunning.current && !isRunning) void results.refetch()
    wasRunning.current = isRunning
  }, [isRunning])
  return (
    <ShowQuery query={runs} what="the evaluation run">
      {([run]) =>
        run === undefined ? (
          <>
            <PageHead trail={[<EvaluationsLink key="evaluations" />]} title={`Evaluation run ${id} was not found`} />
            <EmptyState icon={SearchX} title="No such run">
              <p>It was deleted, or the address is wrong.</p>
            </EmptyState>
          </>
        ) : (
          <ShowQuery query={results} what="the rows of the run">
            {(data) => (
              <RunResults
                run={run}
                results={data}
                readAt={results.dataUpdatedAt}
                isReading={results.isFetching}
                onMore={() => setMost(most + rowsAtOnce)}
              />
            )}
          </ShowQuery>
        )
      }
    </ShowQuery>
  )
}

interface ResultsProperties {
  run: EvaluationRun
  results: Results
  readAt: number
  isReading: boolean
  onMore: () => void
}

function RunResults({ run, results, readAt, isReading, onMore }: ResultsProperties) {
  const project = useProject()
  const search = route.useSearch()
  const { split, part } = search
  const navigate = route.useNavigate()
  const [runs, ids, labels] = useMemo(() => [[run], [run.id], [run.name]], [run])
  const ofPart = useMemo(() => rowsOfPart(results.rows, { split, part }), [results.rows, split, part])
  const paired = useMemo(() => pairRuns(ids, ofPart), [run.id, ofPart])
  const name = search.measure !== undefined && paired.names.includes(search.measure) ? search.measure : (paired.names[0] ?? '')
  const { rows: choice = 'all' } = search
  const rows = useMemo(
    () => failuresFirst(paired, { name, choice, within: rangesOf(name, search), ofClass: classChoice(search) }),
    [paired, name, choice, search],
  )
  const counts = useMemo(() => countChoices(paired, name), [paired, name])
  const columns = useQuery(columnsQuery({ ids, ...paired, readAt, isReading, filter: JSON.stringify([split, part]) }))
  const set = (changed: Partial<RunSearch>) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  const choose = (measure: string) => set({ measure, from: undefined, to: undefined })
  if (search.row !== undefined)
    return (
      <Suspense fallback={<Pending what="the row" />}>
        <RowView
          trail={[
            <EvaluationsLink key="evaluations" />,
            <Link key="run" to="." search={(before: object) => ({ ...before, row: undefined })}>
              {run.name}
            </Link>,
          ]}
          runs={labels}
          ids={ids}
          compared={paired}
          name={name}
          row={paired.rows.find(({ row }) => row.row_digest === search.row)}
          listed={rows}
          onSelect={(row) => set({ row })}
          onClose={() => set({ row: undefined })}
        />
      </Suspense>
    )
  return (
    <div data-flush className="flex h-full min-h-0 flex-col">
      <PageHead
        trail={[<EvaluationsLink key="evaluations" />]}
        title={run.name}
        state={<StatusText status={runIcons[run.status] ?? 'queued'}>{runStatusTitles[run.status]}</StatusText>}
        actions={
          <>
            {results.rows.length > 0 && (
              <ExportMenu
                matrix={{ project: project.id, runs, labels, compared: paired, rows, columns: columns.data }}
                title={labels.join()}
              />
            )}
            <MoreActions run={run} score={paired.names[0]} search={search} results={results} onChange={set} />
            {rows.length > 0 && (
              <Button variant="primary" icon={ArrowDownToLine} onClick={() => set({ row: worstOf(paired, name, rows)?.row.row_digest })}>
                Open worst row
              </Button>
            )}
          </>
        }
      />
      <div tabIndex={0} role="region" aria-label="Run" className="min-h-0 grow overflow-auto -outline-offset-2">
        {search.measure !== undefined && search.measure !== name && (
          <Notice className="mx-4 mt-4" title={`The run has no measure ${search.measure}.`} />
        )}
        <PartNotices rows={results.rows} search={search} />
        <RowsLeftOut results={results} isReading={isReading} onMore={onMore} />
        <div className="flex flex-col gap-3 p-4">
          <RunState run={run} />
          <RunStats run={run} paired={paired} />
          {results.rows.length === 0 ? (
            <EmptyState icon={SearchX} title="No rows scored">
              <p>{noRowsText(run)}</p>
            </EmptyState>
          ) : (
            <>
              {split !== undefined && part !== undefined && (
                <p role="status" className="text-xs text-fg-3">{`${split}: ${part}. ${ofPart.length.toLocaleString('en')} rows.`}</p>
              )}
              <Failure error={columns.error} before="The intervals are missing." />
              <div className="grid grid-cols-1 gap-3 lg:grid-cols-[1.45fr_1fr]">
                <ScoreTable paired={paired} columns={columns.data} name={name} onMeasure={choose} />
                {name !== '' && (
                  <SecondChart
                    compared={paired}
                    labels={labels}
                    name={name}
                    search={search}
                    height={chartHeight(paired.names.length)}
                    onChange={set}
                  />
                )}
              </div>
            </>
          )}
        </div>
        {results.rows.length > 0 && (
          <>
            <div className="sticky top-0 z-20 bg-sheet">
              <RowsToolbar
                choice={choice}
                choices={['all', 'errors']}
                counts={counts}
                filter={<FilterButton search={search} name={name} runs={runs} labels={labels} onRange={set} />}
                name={name}
                names={paired.names}
                listed={rows.length}
                onChoice={(next) => set({ rows: next === 'all' ? undefined : next })}
                onMeasure={choose}
              />
              <ActiveFilters search={search} name={name} compared={paired} labels={labels} onChange={set} />
            </div>
            <div className="flex h-[70vh] min-h-80 flex-col">
              <ResultRows
                runs={labels}
                compared={paired}
                rows={rows}
                names={paired.names}
                measure={{ name, onChange: choose }}
                order="row"
                selected={search.row}
                empty={<EmptyState icon={SearchX} title="No rows match" />}
              />
            </div>
          </>
        )}
      </div>
    </div>
  )
}

interface MoreProperties {
  run: EvaluationRun
  /** Name of the first score. */
  score: string | undefined
  search: RunSearch
  results: Results
  onChange: (changed: Partial<RunSearch>) => void
}

function MoreActions({ run, score, search, results, onChange }: MoreProperties) {
  const project = useProject()
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  return (
    <>
      <MoreMenu>
        <MenuItem
          icon={ExternalLink}
          onClick={() => void navigate({ to: '/$entity/$project/calls/$call', params: { ...project, call: run.id } })}
        >
          Open trace
        </MenuItem>
        <MenuItem
          icon={GitCompareArrows}
          onClick={() => void navigate({ to: '/$entity/$project/evaluations', params: project, search: { chosen: run.id } })}
        >
          Compare with…
        </MenuItem>
        <MenuItem
          icon={Spool}
          onClick={() =>
            void navigate({
              to: '/$entity/$project/training/start',
              params: project,
              search: { where: rowsOfRun(run), group: 'row', reward: `score:${score ?? ''}` },
            })
          }
        >
          Train…
        </MenuItem>
        <MenuItem icon={MessageSquareText} onClick={() => setAsks(true)}>
          Copy for assistant…
        </MenuItem>
        <PartItems rows={results.rows} search={search} onChange={onChange} />
      </MoreMenu>
      {asks && <AskDialog prompt="triage_failures" given={{ project: project.id, evaluation_id: run.id }} onClose={() => setAsks(false)} />}
    </>
  )
}

/** The calls of its rows are below that of the run. */
const rowsOfRun = (run: EvaluationRun): Condition[] => [{ path: 'parent_id', operator: '=', value: run.id }]

const noRowsText = (run: EvaluationRun) =>
  run.status === 'running' ? 'No row of the dataset has a prediction yet.' : 'The run ended before a row of the dataset had a prediction.'

/** Problems of the run itself, actual or suspected. */
function RunState({ run }: { run: EvaluationRun }) {
  const quietMinutes = useQuery(silenceQuery(useProject(), [run])).data?.get(run.id)
  return (
    <>
      {quietMinutes !== undefined && (
        <Notice
          tone="warning"
          title={`Without news for ${quietMinutes.toLocaleString('en')} min: the program that runs it may have ended.`}
        />
      )}
      {run.exception !== null && (
        <Fold icon={TriangleAlert} title="The run failed" tone="red" isOpenAtFirst>
          <LongText text={run.exception} label="Exception" />
        </Fold>
      )}
    </>
  )
}

function RunStats({ run, paired }: { run: EvaluationRun; paired: ComparedRuns }) {
  const project = useProject()
  const { data, isLoading } = useQuery(summariesQuery(project, [run.id]))
  const summary = data?.get(run.id)
  const evaluation = useQuery(listedRunsQuery(project, [run.id])).data?.[0]?.evaluation ?? ''
  const dataset = useQuery(definitionsOfRunsQuery(project, evaluation === '' ? [] : [evaluation])).data?.get(evaluation)?.dataset
  const measured = paired.runs[0]
  const measure = (name: string) => {
    const own = measured?.measures.get(name)
    return own ? valuesOf(own) : []
  }
  const [seconds, tokens] = [measure(latencyMeasure), measure(tokensMeasure)]
  const [model = '–', version] = run.model?.split(/:(?=[^:]*$)/) ?? []
  const items: StatItem[] = [
    {
      name: 'Subject',
      value: (
        <span className="mono block leading-7 font-medium tracking-normal" data-tip={run.model ?? undefined}>
          <NameTag text={model} />
        </span>
      ),
      isWide: true,
      note: (
        <>
          {version !== undefined && <span className="mono">{version} </span>}
          <TimeInColumn value={run.started_at} />
        </>
      ),
    },
    {
      name: 'Rows',
      value: (measured?.rows ?? 0).toLocaleString('en'),
      note: (
        <span className="flex gap-1.5">
          {measured && measured.trials !== measured.rows && <span className="shrink-0">{countText(measured.trials, 'trial')}</span>}
          {dataset !== undefined && <DatasetLink dataset={dataset} />}
        </span>
      ),
      isWide: true,
    },
    {
      name: 'Mean latency',
      value: seconds.length === 0 ? '–' : formatDuration(meanOf(seconds) * 1_000),
      note: seconds.length === 0 ? undefined : <Percentiles seconds={seconds} />,
    },
    {
      name: 'Tokens',
      value: summary?.predict_total_tokens?.toLocaleString('en') ?? '–',
      note: tokens.length === 0 ? undefined : `${Math.round(meanOf(tokens)).toLocaleString('en')} a row`,
    },
    {
      name: 'Cost',
      value: summary?.predict_total_cost == null ? '–' : formatCost(summary.predict_total_cost),
      note: summary && summary.predict_total_cost === null ? 'No price' : undefined,
    },
    { name: 'Duration', value: run.duration_us === null ? '–' : formatDuration(run.duration_us / 1_000) },
  ]
  return (
    <div aria-busy={isLoading}>
      <Stats items={items} basis="basis-36" />
    </div>
  )
}

/** Wraps the second percentile onto the next line when both do not fit on one. */
function Percentiles({ seconds }: { seconds: readonly number[] }) {
  const text = (share: number) => formatDuration(percentile(seconds, share) * 1_000)
  return (
    <span className="flex flex-wrap gap-x-1.5">
      <span>p50 {text(0.5)}</span>
      <span>p95 {text(0.95)}</span>
    </span>
  )
}

interface ChosenRows {
  name: string
  choice: NonNullable<RunSearch['rows']>
  within: readonly ScoreRanges[]
  ofClass: ClassChoice | undefined
}

function failuresFirst(paired: ComparedRuns, { name, choice, within, ofClass }: ChosenRows) {
  const all = chooseRows(paired, { choice, name, order: 'row', within, ofClass })
  return all.toSorted((a, b) => (b.cells[0]?.failed ?? 0) - (a.cells[0]?.failed ?? 0) || a.place - b.place)
}

/** A row that failed, or the one with the lowest value. */
function worstOf(paired: ComparedRuns, name: string, rows: ComparedRuns['rows']) {
  const failed = rows.find(({ cells }) => (cells[0]?.failed ?? 0) > 0)
  if (failed) return failed
  const listed = new Set(rows)
  return chooseRows(paired, { choice: 'all', name, order: 'worst' }).find((row) => listed.has(row))
}

interface TableProperties {
  paired: ComparedRuns
  /** By name; the interval of one that is missing is still computed. */
  columns: ReadonlyMap<string, readonly MeasuredColumn[]> | undefined
  name: string
  onMeasure: (name: string) => void
}

/** The mean of each measure with its interval, and of how many rows and trials it is. */
function ScoreTable({ paired, columns, name: chosen, onMeasure }: TableProperties) {
  const run = paired.runs[0]
  const measures = useMemo(() => (run ? scoresFirst(run).map((measure) => ({ ...measure, values: valuesOf(measure) })) : []), [run])
  if (!run || measures.length === 0) return <Notice title="No prediction has a score, a latency or tokens." />
  type Row = (typeof measures)[number]
  const intervalOf = ({ name }: Row) => columns?.get(name)?.[0]?.mean?.interval
  const tableColumns: ListColumn<Row>[] = [
    {
      id: 'name',
      title: 'Score',
      cell: ({ name }) => (
        <TextButton onClick={() => onMeasure(name)} data-tip={name} className="text-fg no-underline hover:underline">
          {measureTitle(name)}
        </TextButton>
      ),
    },
    {
      id: 'mean',
      title: 'Mean',
      width: '92px',
      align: 'right',
      cell: ({ name, values, isRate }) => <b className="font-semibold">{measureText(name, meanOf(values), isRate)}</b>,
    },
    {
      id: 'interval',
      title: '95% interval',
      width: '232px',
      cell: (row) => (
        <span aria-busy={!columns?.has(row.name)} className="flex items-center gap-3">
          <span className="w-28 shrink-0 text-fg-2">{columns?.has(row.name) ? endsText(row.name, intervalOf(row), row.isRate) : '…'}</span>
          {isWithinOne(row) && <Whisker mean={meanOf(row.values)} interval={intervalOf(row)} />}
        </span>
      ),
    },
    numberColumn('rows', 'n', '64px', ({ values }) => values.length),
    numberColumn('coverage', 'Coverage', '84px', ({ trials }) => trials / run.trials, { show: (share) => numberText(share, true) }),
  ]
  return (
    <Card title="Scores" note="Mean, 95% interval" flush>
      <ListTable
        label="Mean, 95% interval"
        rows={measures}
        columns={tableColumns}
        rowId={({ name }) => name}
        rowHeight={38}
        picked={({ name }) => name === chosen}
      />
    </Card>
  )
}

function endsText(name: string, interval: { low: number; high: number } | null | undefined, isRate: boolean): string {
  return interval ? `${measureText(name, interval.low, isRate)} to ${measureText(name, interval.high, isRate)}` : 'no interval'
}

/** Whether a score is a rate, or has no value outside of the range of rates. */
const isWithinOne = ({ name, values, isRate }: { name: string; values: readonly number[]; isRate: boolean }) =>
  isRate || (name !== latencyMeasure && name !== tokensMeasure && values.every((value) => value >= 0 && value <= 1))

/** A mean from 0 to 1 as a dot with its interval. */
function Whisker({ mean, interval }: { mean: number; interval: { low: number; high: number } | null | undefined }) {
  return (
    <span aria-hidden className="relative h-4 w-24 shrink-0 max-xl:hidden">
      <span className="absolute inset-x-0 top-1/2 border-t border-line" />
      {interval && (
        <span
          className="absolute top-1/2 h-0.5 -translate-y-1/2 rounded-full bg-s1"
          style={{ left: `${interval.low * 100}%`, width: `${(interval.high - interval.low) * 100}%` }}
        />
      )}
      <span className="absolute top-1/2 size-2 -translate-1/2 rounded-full bg-s1" style={{ left: `${mean * 100}%` }} />
    </span>
  )
}
