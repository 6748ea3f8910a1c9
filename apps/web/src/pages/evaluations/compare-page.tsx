import './evaluations.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { EvalSummary } from '@heddle/core-api'
import type { EvaluationRun } from '@heddle/evaluations'
import { useMemo, useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import { AskAssistant } from '../../components/ask-assistant/ask-assistant.tsx'
import { Failure } from '../../components/failure.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { chooseRows, pairRuns } from './compared-runs.ts'
import { namedRunsQuery, type Results, resultsQuery, rowsAtOnce, summariesQuery } from './evaluation-queries.ts'
import { columnsQuery } from './intervals/columns-query.ts'
import { Distributions } from './charts/distributions.tsx'
import { Classes } from './classes/class-bars.tsx'
import { classChoice } from './classes/class-choice.ts'
import { ExportMatrix } from './export/export-matrix.tsx'
import { ResultRows } from './rows/result-rows.tsx'
import { RowDetail } from './rows/row-detail.tsx'
import { rowsOfSet, setText } from './row-set.ts'
import { choiceNames, type RowChoice, rowChoices, rowOrders } from './rows/row-choices.ts'
import { runLabels } from './run-labels.ts'
import { RunsTable } from './runs-table.tsx'
import { FilterRows } from './rows/filter-rows.tsx'
import { readRowsFilter, type RowsCondition } from './rows/rows-filter.ts'
import { rangesOf } from './rows/score-range.ts'
import { ChoosePart } from './splits/choose-part.tsx'
import { rowsOfPart } from './splits/row-splits.ts'
import { RowsLeftOut } from './rows/rows-left-out.tsx'

const route = getRouteApi('/$entity/$project/evaluations/compare')
const maxCompared = 8

/** Runs beside each other, row by row; the first, or the one named, is the baseline. */
export function ComparePage() {
  const project = useProject()
  const { ids: named, baseline, filter: text, filterIn: run, filters: further } = route.useSearch()
  const navigate = route.useNavigate()
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
  if (ids.length < 2)
    return (
      <p className="notice">
        A comparison needs two to {maxCompared} runs. Choose them among the{' '}
        <Link to="/$entity/$project/evaluations" params={project}>
          evaluation runs
        </Link>
        .
      </p>
    )
  return (
    <>
      <h1>Comparison of {ids.length} runs</h1>
      {given.length > ids.length && (
        <p className="notice">
          The first {ids.length} of the {given.length} runs in the address are compared.
        </p>
      )}
      {baseline !== undefined && !all.includes(baseline) && (
        <p className="notice">The baseline {baseline} is not among the runs; the first is the baseline.</p>
      )}
      <ShowQuery query={runs} what="the runs">
        {(found) =>
          found.length < ids.length ? (
            <p className="problem">
              This project has no evaluation run {ids.filter((id) => !found.some((run) => run.id === id)).join(' and ')}: it was deleted, or
              the address is wrong.
            </p>
          ) : (
            <>
              {ids.length === 2 && (
                <div>
                  <AskAssistant
                    prompt="compare_evaluations"
                    given={{ project: project.id, baseline: ids[0] ?? '', candidate: ids[1] ?? '' }}
                  />
                </div>
              )}
              <FilterRows
                key={JSON.stringify([text, further])}
                text={text ?? ''}
                run={run}
                further={further}
                runs={found}
                problem={filter.problem}
                onFilter={(changed) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })}
              />
              <ShowQuery query={results} what="the rows of the runs">
                {(data) => (
                  <>
                    <RowsLeftOut results={data} isReading={results.isFetching} onMore={() => setMost(most + rowsAtOnce)} />
                    <Comparison
                      ids={ids}
                      runs={found}
                      results={data}
                      readAt={results.dataUpdatedAt}
                      isReading={results.isFetching}
                      condition={filter.condition}
                    />
                  </>
                )}
              </ShowQuery>
            </>
          )
        }
      </ShowQuery>
    </>
  )
}

interface ComparisonProperties {
  ids: readonly string[]
  runs: readonly EvaluationRun[]
  results: Results
  readAt: number
  isReading: boolean
  /** By which rows were read; undefined for all. */
  condition: RowsCondition | undefined
}

function Comparison({ ids, runs, results, readAt, isReading, condition }: ComparisonProperties) {
  const project = useProject()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const labels = useMemo(() => runLabels(runs), [runs])
  const { means, split, part } = search
  const ofPart = useMemo(() => rowsOfPart(results.rows, { split, part }), [results.rows, split, part])
  const { rows: counted, shared } = useMemo(() => rowsOfSet(ofPart, ids, means), [ofPart, ids, means])
  const compared = useMemo(() => pairRuns(ids, counted), [ids, counted])
  const columns = useQuery(columnsQuery({ ids, ...compared, readAt, isReading, filter: JSON.stringify([means, split, part, condition]) }))
  const costs = useQuery(summariesQuery(project, ids, { condition, isShared: means === 'shared' })).data
  const words = setText({ read: ofPart.length, shared, set: means, isFiltered: condition !== undefined })
  const name = search.measure !== undefined && compared.names.includes(search.measure) ? search.measure : (compared.names[0] ?? '')
  const { rows: choice = 'all', order = 'change' } = search
  const rows = useMemo(
    () => chooseRows(compared, { choice, name, order, within: rangesOf(name, search), ofClass: classChoice(search) }),
    [compared, choice, name, order, search],
  )
  const set = (changed: Partial<typeof search>) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  const choose = (measure: string) => set({ measure, from: undefined, to: undefined })
  return (
    <>
      {search.measure !== undefined && search.measure !== name && (
        <p className="notice">
          No run has the measure {search.measure}; rows are chosen by {name === '' ? 'none' : name}.
        </p>
      )}
      <ChoosePart rows={results.rows} search={search} onChange={set} />
      <div className="row">
        <label htmlFor="means">Figures of</label>
        <select id="means" value={means ?? ''} onChange={({ target }) => set({ means: target.value === '' ? undefined : 'shared' })}>
          <option value="">all rows</option>
          <option value="shared">rows that every run has</option>
        </select>
        <span role="status">{words}</span>
      </div>
      <Failure error={columns.error} before="The means are missing." />
      <RunsTable
        compared={compared}
        columns={columns.data}
        runs={runs}
        labels={labels}
        costs={{ dollars: part === undefined ? knownCosts(costs) : noCosts, isOfAll: means === undefined && condition === undefined }}
        onBaseline={(baseline) => set({ baseline })}
        onOrder={(next) => set({ ids: next.join(','), baseline: undefined })}
        onMeasure={choose}
      />
      <div className="row">
        <label htmlFor="measure">By</label>
        <select id="measure" value={name} onChange={({ target }) => choose(target.value)}>
          {compared.names.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <label htmlFor="rows">Rows</label>
        <select id="rows" value={choice} onChange={({ target }) => set({ rows: rowChoices.find((one) => one === target.value) })}>
          {rowChoices.map((one) => (
            <option key={one} value={one}>
              {choiceNames[one]}
            </option>
          ))}
        </select>
        <label htmlFor="order">Order</label>
        <select id="order" value={order} onChange={({ target }) => set({ order: rowOrders.find((one) => one === target.value) })}>
          <option value="change">falls, then rises, the largest first</option>
          <option value="worst">worst of the last run first</option>
          <option value="row">as in the dataset</option>
        </select>
        <label htmlFor="columns">Columns</label>
        <select
          id="columns"
          value={search.columns ?? ''}
          onChange={({ target }) => set({ columns: target.value === 'one' ? 'one' : undefined })}
        >
          <option value="">every measure</option>
          <option value="one">this measure alone</option>
        </select>
        <span role="status">{rows.length === 1 ? '1 row' : `${rows.length.toLocaleString('en')} rows`}</span>
      </div>
      {name !== '' && <Distributions compared={compared} labels={labels} name={name} search={search} onChange={set} />}
      <Classes compared={compared} labels={labels} search={search} onChange={set} />
      <ExportMatrix
        matrix={{ project: project.id, runs, labels, compared, rows, columns: columns.data, words }}
        title={`Comparison of ${labels.join(' and ')}`}
      />
      {rows.length === 0 ? (
        <p className="empty">
          {emptyText(choice)}
          {search.is !== undefined && ` The class is ${search.is}.`}
        </p>
      ) : (
        <ResultRows
          runs={labels}
          compared={compared}
          rows={rows}
          names={search.columns === 'one' && name !== '' ? [name] : compared.names}
          measure={{ name, onChange: choose }}
          selected={search.row}
          onSelect={(row) => set({ row })}
        />
      )}
      {search.row !== undefined && (
        <RowDetail
          runs={labels}
          ids={ids}
          row={compared.rows.find(({ row }) => row.row_digest === search.row)}
          outputs={search.outputs}
          listed={rows}
          onSelect={(row) => set({ row })}
          onOutputs={(outputs) => set({ outputs })}
        />
      )}
    </>
  )
}

/** The server counts no part of a dataset. */
const noCosts: ReadonlyMap<string, number> = new Map()

const knownCosts = (summaries: ReadonlyMap<string, EvalSummary> = new Map()) =>
  new Map([...summaries].flatMap(([id, { predict_total_cost: cost }]): [string, number][] => (cost === null ? [] : [[id, cost]])))

const emptyText = (choice: RowChoice) =>
  choice === 'all' ? 'No rows in these ranges.' : `No rows of the choice "${choiceNames[choice]}" in these ranges.`
