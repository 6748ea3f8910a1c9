import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { EvalSummary } from '@heddle/core-api/types'
import type { EvaluationRun } from '@heddle/evaluations'
import { GitCompareArrows, MessageSquareText, Plus, SearchX } from 'lucide-react'
import { Suspense, useMemo, useRef, useState } from 'react'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { cx } from '../../lib/cx.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { MenuItem, MenuRadio, MenuSection, MenuSeparator } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Pending } from '../../ui/states/pending.tsx'
import { SecondChart } from './charts/second-chart.tsx'
import { DifferenceChart } from './compare/difference-chart.tsx'
import { classChoice } from './classes/class-choice.ts'
import { RunCards } from './compare/run-cards.tsx'
import { chooseRows, countChoices, pairRuns } from './compared-runs.ts'
import type { ComparisonSearch } from './comparison-search.ts'
import { namedRunsQuery, type Results, resultsQuery, rowsAtOnce, summariesQuery } from '../../features/evaluations/evaluation-queries.ts'
import { EvaluationsLink } from './evaluations-link.tsx'
import { ExportMenu } from './export/export-menu.tsx'
import { columnsQuery } from './intervals/columns-query.ts'
import { rowsOfSet, setText } from './row-set.ts'
import { ActiveFilters } from './rows/active-filters.tsx'
import { FilterButton } from './rows/filter-button.tsx'
import { ResultRows } from './rows/result-rows.tsx'
import { measuresInRows } from './rows/measures-in-rows.ts'
import { type RowChoice, rowChoices } from './rows/row-choices.ts'
import { readRowsFilter, type RowsCondition } from '../../features/evaluations/rows-filter.ts'
import { RowsLeftOut } from './rows/rows-left-out.tsx'
import { RowsToolbar } from './rows/rows-toolbar.tsx'
import { rangesOf } from './rows/score-range.ts'
import { runLabels, runTitles } from './run-labels.ts'
import { PartItems, PartNotices } from './splits/part-items.tsx'
import { rowsOfPart } from './splits/row-splits.ts'
import { lazyDialog, lazyPart } from '../../ui/lazy-part.tsx'

const AskDialog = lazyDialog(() => import('../../features/assistant/ask-dialog.tsx').then(({ AskDialog }) => AskDialog))
const RowView = lazyPart(() => import('./rows/row-view.tsx').then(({ RowView }) => RowView))

const route = getRouteApi('/$entity/$project/evaluations/compare')
const maxCompared = 8
/** Height of a chart next to the differences of this many measures. */
const chartHeight = (measures: number) => Math.max(176, Math.min(400, 30 + measures * 36))

/** Runs next to each other, row by row; the first, or the one named, is the baseline. */
export function ComparePage() {
  const project = useProject()
  const { ids: named, baseline, filter: text, filterIn: run, filters: further } = route.useSearch()
  const given = useMemo(() => [...new Set((named ?? '').split(',').filter((id) => id !== ''))], [named])
  const all = useMemo(() => given.slice(0, maxCompared), [given])
  const ids = useMemo(
    () => (baseline !== undefined && all.includes(baseline) ? [baseline, ...all.filter((id) => id !== baseline)] : all),
    [all, baseline],
  )
  const runs = useQuery({ ...namedRunsQuery(project, ids), enabled: ids.length > 1 })
  const [most, setMost] = useState(rowsAtOnce)
  const filter = useMemo(() => readRowsFilter({ text, run, further }, ids), [text, run, further, ids])
  const results = useQuery({ ...resultsQuery(project, ids, most, filter.condition), enabled: ids.length > 1 })
  const shown = useLast(ids.join(), results.data)
  if (ids.length < 2) return <TooFewRuns />
  return (
    <ShowQuery query={runs} what="the runs">
      {(found) =>
        found.length < ids.length ? (
          <>
            <PageHead trail={[<EvaluationsLink key="evaluations" />]} title={`Compare ${ids.length} runs`} />
            <Notice
              tone="error"
              title={`This project has no evaluation run ${ids.filter((id) => !found.some((one) => one.id === id)).join(' and ')}: it was deleted, or the address is wrong.`}
            />
          </>
        ) : (
          <ShowQuery query={{ ...results, data: shown }} what="the rows of the runs">
            {(data) => (
              <Comparison
                ids={ids}
                given={given.length}
                isBaselineKnown={baseline === undefined || all.includes(baseline)}
                runs={found}
                results={data}
                readAt={results.dataUpdatedAt}
                isReading={results.isFetching}
                condition={filter.condition}
                problem={filter.problem}
                onMore={() => setMost(most + rowsAtOnce)}
              />
            )}
          </ShowQuery>
        )
      }
    </ShowQuery>
  )
}

/** The previous results of the same runs, until there are new ones, so that the user's input is kept. */
function useLast(runs: string, data: Results | undefined): Results | undefined {
  const last = useRef<{ runs: string; data: Results }>(undefined)
  if (data) last.current = { runs, data }
  return data ?? (last.current?.runs === runs ? last.current.data : undefined)
}

function TooFewRuns() {
  const project = useProject()
  return (
    <>
      <PageHead trail={[<EvaluationsLink key="evaluations" />]} title="Compare runs" />
      <EmptyState
        icon={GitCompareArrows}
        title="Choose two runs"
        actions={
          <ButtonLink to="/$entity/$project/evaluations" params={project}>
            Go to evaluations
          </ButtonLink>
        }
      >
        <p>{`A comparison takes two to ${maxCompared} runs.`}</p>
      </EmptyState>
    </>
  )
}

interface ComparisonProperties {
  ids: readonly string[]
  /** How many the address names. */
  given: number
  /** Whether the baseline that the address names is among the runs. */
  isBaselineKnown: boolean
  runs: readonly EvaluationRun[]
  results: Results
  readAt: number
  isReading: boolean
  /** By which rows were read; undefined for all. */
  condition: RowsCondition | undefined
  /** Why the condition of the address cannot be read. */
  problem: string | undefined
  onMore: () => void
}

function Comparison(properties: ComparisonProperties) {
  const { ids, runs, results, readAt, isReading, condition } = properties
  const project = useProject()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [labels, full] = useMemo(() => [runTitles(runs), runLabels(runs)], [runs])
  const { means, split, part } = search
  const ofPart = useMemo(() => rowsOfPart(results.rows, { split, part }), [results.rows, split, part])
  const { rows: counted, shared } = useMemo(() => rowsOfSet(ofPart, ids, means), [ofPart, ids, means])
  const compared = useMemo(() => pairRuns(ids, counted), [ids, counted])
  const columns = useQuery(columnsQuery({ ids, ...compared, readAt, isReading, filter: JSON.stringify([means, split, part, condition]) }))
  const summaries = useQuery(summariesQuery(project, ids, { condition, isShared: means === 'shared' }))
  const costs = summaries.data
  const isMeasuring = !columns.isError && compared.names.some((one) => !columns.data?.has(one))
  const words = setText({ read: ofPart.length, shared, set: means, isFiltered: condition !== undefined })
  const name = search.measure !== undefined && compared.names.includes(search.measure) ? search.measure : (compared.names[0] ?? '')
  const { rows: choice = 'all', order = 'change' } = search
  const rows = useMemo(
    () => chooseRows(compared, { choice, name, order, within: rangesOf(name, search), ofClass: classChoice(search) }),
    [compared, choice, name, order, search],
  )
  const counts = useMemo(() => countChoices(compared, name), [compared, name])
  const set = (changed: Partial<ComparisonSearch>) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  const choose = (measure: string) => set({ measure, from: undefined, to: undefined })
  const title = `Compare ${ids.length} runs`
  if (search.row !== undefined)
    return (
      <Suspense fallback={<Pending what="the row" />}>
        <RowView
          trail={[
            <EvaluationsLink key="evaluations" />,
            <Link key="comparison" to="." search={(before: object) => ({ ...before, row: undefined, outputs: undefined })}>
              {title}
            </Link>,
          ]}
          runs={labels}
          ids={ids}
          compared={compared}
          name={name}
          row={compared.rows.find(({ row }) => row.row_digest === search.row)}
          outputs={search.outputs}
          listed={rows}
          onSelect={(row) => set({ row })}
          onOutputs={(outputs) => set({ outputs })}
          onClose={() => set({ row: undefined, outputs: undefined })}
        />
      </Suspense>
    )
  const candidate = Math.max(1, ids.indexOf(search.candidate ?? ''))
  return (
    <div data-flush className="flex h-full min-h-0 flex-col">
      <PageHead
        trail={[<EvaluationsLink key="evaluations" />]}
        title={title}
        actions={
          <>
            {ids.length < maxCompared && (
              <ButtonLink icon={Plus} to="/$entity/$project/evaluations" params={project} search={{ chosen: ids.join(',') }}>
                Add run
              </ButtonLink>
            )}
            <ExportMenu
              matrix={{ project: project.id, runs, labels: full, compared, rows, columns: columns.data, words }}
              title={`Comparison of ${full.join(' and ')}`}
            />
            <MoreActions search={search} ids={ids} results={results} onChange={set} />
          </>
        }
      />
      <div tabIndex={0} role="region" aria-label="Comparison" className="min-h-0 grow overflow-auto -outline-offset-2">
        <Notices {...properties} search={search} name={name} />
        <div aria-busy={isMeasuring || summaries.isLoading} className="flex flex-col gap-3 p-4">
          <RunCards
            compared={compared}
            columns={columns.data}
            runs={runs}
            labels={labels}
            name={name}
            costs={{
              isKnown: costs !== undefined,
              dollars: part === undefined ? knownCosts(costs) : noCosts,
              isOfAll: means === undefined && condition === undefined,
            }}
            onBaseline={(baseline) => set({ baseline })}
            onOrder={(next) => set({ ids: next.join(','), baseline: undefined })}
          />
          <Failure error={columns.error} before="The means are missing." />
          {name !== '' && (
            <div className="grid grid-cols-1 gap-3 lg:grid-cols-[1.45fr_1fr]">
              <DifferenceChart
                compared={compared}
                columns={columns.data}
                labels={labels}
                candidate={candidate}
                name={name}
                height={chartHeight(compared.names.length)}
                onCandidate={(place) => set({ candidate: ids[place] })}
                onMeasure={choose}
              />
              <SecondChart
                compared={compared}
                labels={labels}
                name={name}
                search={search}
                height={chartHeight(compared.names.length)}
                onChange={set}
              />
            </div>
          )}
        </div>
        <div className="sticky top-0 z-20 bg-sheet">
          <RowsToolbar
            choice={choice}
            choices={choicesOf(compared.rows.length, compared.shared, choice)}
            counts={counts}
            filter={<FilterButton search={search} name={name} runs={runs} labels={labels} onExpression={set} onRange={set} />}
            name={name}
            names={compared.names}
            order={{ value: order, onChange: (next) => set({ order: next }) }}
            listed={rows.length}
            about={split !== undefined && part !== undefined ? `${split}: ${part}. ${words}` : words}
            onChoice={(next) => set({ rows: next === 'all' ? undefined : next })}
            onMeasure={choose}
          />
          <ActiveFilters search={search} name={name} compared={compared} labels={labels} onChange={set} />
        </div>
        <div aria-busy={isReading} className={cx('flex h-[70vh] min-h-80 flex-col', isReading && 'opacity-60')}>
          <ResultRows
            runs={labels}
            compared={compared}
            rows={rows}
            names={measuresInRows(compared.names, { name, runs: ids.length, columns: search.columns })}
            measure={{ name, onChange: choose }}
            order={order}
            selected={search.row}
            empty={<EmptyState icon={SearchX} title="No rows match" />}
          />
        </div>
      </div>
    </div>
  )
}

/** Rows that some run lacks make the shared ones worth a choice. */
const choicesOf = (all: number, shared: number, choice: RowChoice) =>
  rowChoices.filter((one) => one !== 'shared' || shared < all || choice === 'shared')

interface MoreProperties {
  search: ComparisonSearch
  ids: readonly string[]
  results: Results
  onChange: (changed: Partial<ComparisonSearch>) => void
}

function MoreActions({ search, ids, results, onChange }: MoreProperties) {
  const project = useProject()
  const [asks, setAsks] = useState(false)
  const { means = 'all', columns = 'main' } = search
  return (
    <>
      <MoreMenu>
        <MenuItem icon={GitCompareArrows} onClick={() => onChange({ ids: [...ids.slice(1), ids[0]].join(','), baseline: undefined })}>
          {ids.length === 2 ? 'Swap runs' : 'Next run as baseline'}
        </MenuItem>
        {ids.length === 2 && (
          <MenuItem icon={MessageSquareText} onClick={() => setAsks(true)}>
            Copy for assistant…
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuSection label="Figures of">
          <MenuRadio name="means" value="all" current={means} onPick={() => onChange({ means: undefined })}>
            All rows
          </MenuRadio>
          <MenuRadio name="means" value="shared" current={means} onPick={() => onChange({ means: 'shared' })}>
            Shared rows
          </MenuRadio>
        </MenuSection>
        <MenuSection label="Columns">
          <MenuRadio name="columns" value="main" current={columns} onPick={() => onChange({ columns: undefined })}>
            Main scores
          </MenuRadio>
          <MenuRadio name="columns" value="all" current={columns} onPick={() => onChange({ columns: 'all' })}>
            All scores
          </MenuRadio>
          <MenuRadio name="columns" value="one" current={columns} onPick={() => onChange({ columns: 'one' })}>
            Only this score
          </MenuRadio>
        </MenuSection>
        <PartItems rows={results.rows} search={search} onChange={onChange} />
      </MoreMenu>
      {asks && (
        <AskDialog
          prompt="compare_evaluations"
          given={{ project: project.id, baseline: ids[0] ?? '', candidate: ids[1] ?? '' }}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}

interface NoticesProperties extends ComparisonProperties {
  search: ComparisonSearch
  /** The measure by which rows are chosen. */
  name: string
}

/** What of the address is not shown, and why. */
function Notices({ ids, given, isBaselineKnown, results, isReading, problem, search, name, onMore }: NoticesProperties) {
  const unknown = (search.filters ?? []).map(({ in: id }) => id).filter((id) => !ids.includes(id))
  const titles = [
    ...(given > ids.length ? [`The first ${ids.length} of the ${given} runs in the address are compared.`] : []),
    ...(isBaselineKnown ? [] : [`The baseline ${search.baseline} is not among the runs; the first is the baseline.`]),
    ...(search.measure !== undefined && search.measure !== name
      ? [`No run has the measure ${search.measure}; rows are chosen by ${name === '' ? 'none' : name}.`]
      : []),
    ...(search.filterIn !== undefined && !ids.includes(search.filterIn)
      ? [`The run ${search.filterIn} of the filter is not among those compared; any of them counts.`]
      : []),
    ...(unknown.length > 0 ? [`The condition on ${unknown.join(' and ')} does not count: that is not a run of those compared.`] : []),
  ]
  return (
    <>
      {problem !== undefined && (
        <Notice className="mx-4 mt-4" tone="error" title={`The filter cannot be read: ${problem}. All rows are shown.`} />
      )}
      {titles.map((title) => (
        <Notice key={title} className="mx-4 mt-4" title={title} />
      ))}
      <PartNotices rows={results.rows} search={search} />
      <RowsLeftOut results={results} isReading={isReading} onMore={onMore} />
    </>
  )
}

/** The server counts no part of a dataset. */
const noCosts: ReadonlyMap<string, number> = new Map()

const knownCosts = (summaries: ReadonlyMap<string, EvalSummary> = new Map()) =>
  new Map([...summaries].flatMap(([id, { predict_total_cost: cost }]): [string, number][] => (cost === null ? [] : [[id, cost]])))
