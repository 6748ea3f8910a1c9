import './evaluations.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { EvaluationRun } from '@heddle/evaluations'
import { meanOf, scoresFirst, valuesOf } from '@heddle/evaluations'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import { AskAssistant } from '../../components/ask-assistant/ask-assistant.tsx'
import { Failure } from '../../components/failure.tsx'
import { LongText } from '../../components/long-text.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import type { Condition } from '../calls/call-condition.ts'
import { chooseRows, type ComparedRuns, pairRuns } from './compared-runs.ts'
import { namedRunsQuery, refreshMs, type Results, resultsQuery, rowsAtOnce, silenceQuery } from './evaluation-queries.ts'
import { columnsQuery } from './intervals/columns-query.ts'
import type { MeasuredColumn } from './intervals/measured-columns.ts'
import { Distributions } from './charts/distributions.tsx'
import { Classes } from './classes/class-bars.tsx'
import { type ClassChoice, classChoice } from './classes/class-choice.ts'
import { Histogram } from './charts/histogram.tsx'
import { intervalText, numberText } from './charts/number-text.ts'
import { ExportMatrix } from './export/export-matrix.tsx'
import { ResultRows } from './rows/result-rows.tsx'
import { RowDetail } from './rows/row-detail.tsx'
import { rangesOf, type ScoreRanges } from './rows/score-range.ts'
import { ChoosePart } from './splits/choose-part.tsx'
import { rowsOfPart } from './splits/row-splits.ts'
import { RowsLeftOut } from './rows/rows-left-out.tsx'

const route = getRouteApi('/$entity/$project/evaluations/runs/$run')

/** One evaluation run: what was measured, and the rows, those that failed first. */
export function RunPage() {
  const project = useProject()
  const { run: id } = route.useParams()
  const runs = useQuery(namedRunsQuery(project, [id]))
  const [most, setMost] = useState(rowsAtOnce)
  const isRunning = runs.data?.[0]?.status === 'running'
  const results = useQuery({ ...resultsQuery(project, [id], most), refetchInterval: isRunning ? refreshMs : false })
  const wasRunning = useRef(false)
  useEffect(() => {
    // The last rows came after the last read.
    if (wasRunning.current && !isRunning) void results.refetch()
    wasRunning.current = isRunning
  }, [isRunning])
  return (
    <ShowQuery query={runs} what="the evaluation run">
      {([run]) => (
        <>
          <h1>{run?.name ?? `Evaluation run ${id} was not found`}</h1>
          {run && <RunFacts run={run} />}
          {run && (
            <ShowQuery query={results} what="the rows of the run">
              {(data) => (
                <>
                  <RowsLeftOut results={data} isReading={results.isFetching} onMore={() => setMost(most + rowsAtOnce)} />
                  <RunResults ids={[id]} runs={[run]} results={data} readAt={results.dataUpdatedAt} isReading={results.isFetching} />
                </>
              )}
            </ShowQuery>
          )}
        </>
      )}
    </ShowQuery>
  )
}

function RunFacts({ run }: { run: EvaluationRun }) {
  const project = useProject()
  const quietMinutes = useQuery(silenceQuery(project, [run])).data?.get(run.id)
  return (
    <>
      <div className="row">
        <span className="tag">{run.status}</span>
        <span>Model {run.model ?? 'not named'}</span>
        <span>
          Started <Time value={run.started_at} />
        </span>
        {run.duration_us !== null && <span>Took {numberText(run.duration_us / 1_000_000, false)} s</span>}
        <Link to="/$entity/$project/calls/$call" params={{ ...project, call: run.id }}>
          Its trace
        </Link>
        <Link to="/$entity/$project/evaluations" params={project}>
          Compare with another run
        </Link>
        <AskAssistant prompt="triage_failures" given={{ project: project.id, evaluation_id: run.id }} />
      </div>
      {quietMinutes !== undefined && (
        <p role="status" className="notice">
          Without news for {quietMinutes.toLocaleString('en')} min: the program that runs it may have ended.
        </p>
      )}
      {run.exception !== null && <Exception text={run.exception} />}
    </>
  )
}

function Exception({ text }: { text: string }) {
  return (
    <section aria-label="Failure">
      <p className="problem">The run failed:</p>
      <LongText text={text} label="Exception" />
    </section>
  )
}

interface ResultsProperties {
  ids: readonly string[]
  runs: readonly EvaluationRun[]
  results: Results
  readAt: number
  isReading: boolean
}

function RunResults({ ids, runs, results, readAt, isReading }: ResultsProperties) {
  const project = useProject()
  const search = route.useSearch()
  const { row: shown, split, part } = search
  const navigate = route.useNavigate()
  const ofPart = useMemo(() => rowsOfPart(results.rows, { split, part }), [results.rows, split, part])
  const paired = useMemo(() => pairRuns(ids, ofPart), [ids.join(), ofPart])
  const name = search.measure !== undefined && paired.names.includes(search.measure) ? search.measure : (paired.names[0] ?? '')
  const rows = useMemo(() => errorsFirst(paired, rangesOf(name, search), classChoice(search)), [paired, name, search])
  const set = (changed: Partial<typeof search>) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  const labels = runs.map(({ name }) => name)
  const columns = useQuery(columnsQuery({ ids, ...paired, readAt, isReading, filter: JSON.stringify([split, part]) }))
  if (results.rows.length === 0) return <p className="empty">{noRowsText(runs[0])}</p>
  return (
    <>
      <ChoosePart rows={results.rows} search={search} onChange={set} />
      <Failure error={columns.error} before="The intervals are missing." />
      <MeasureTable paired={paired} columns={columns.data} />
      <p>
        <Link
          to="/$entity/$project/training/start"
          params={project}
          search={{ where: rowsOfRun(runs[0]), group: 'row', reward: `score:${paired.names[0] ?? ''}` }}
        >
          Train on its rows
        </Link>
      </p>
      <h2>Rows, those without an output first</h2>
      {name !== '' && (
        <div className="row">
          <label htmlFor="measure">By</label>
          <select id="measure" value={name} onChange={({ target }) => set({ measure: target.value, from: undefined, to: undefined })}>
            {paired.names.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          <span role="status">{rows.length === 1 ? '1 row' : `${rows.length.toLocaleString('en')} rows`}</span>
        </div>
      )}
      {search.measure !== undefined && search.measure !== name && <p className="notice">The run has no measure {search.measure}.</p>}
      {name !== '' && <Distributions compared={paired} labels={labels} name={name} search={search} onChange={set} />}
      <Classes compared={paired} labels={labels} search={search} onChange={set} />
      <ExportMatrix matrix={{ project: project.id, runs, labels, compared: paired, rows, columns: columns.data }} title={labels.join()} />
      {rows.length === 0 ? (
        <p className="empty">No row has a value in this range{search.is !== undefined && ' and is of this class'}.</p>
      ) : (
        <ResultRows runs={labels} compared={paired} rows={rows} names={paired.names} selected={shown} onSelect={(row) => set({ row })} />
      )}
      {shown !== undefined && (
        <RowDetail
          runs={labels}
          ids={ids}
          row={rows.find(({ row }) => row.row_digest === shown)}
          listed={rows}
          onSelect={(row) => set({ row })}
        />
      )}
    </>
  )
}

const noRowsText = (run: EvaluationRun | undefined) =>
  run?.status === 'running' ? 'No row of the dataset has a prediction yet.' : 'The run ended before a row of the dataset had a prediction.'

/** The calls of its rows are below that of the run. */
const rowsOfRun = (run: EvaluationRun | undefined): Condition[] => (run ? [{ path: 'parent_id', operator: '=', value: run.id }] : [])

function errorsFirst(paired: ComparedRuns, within: readonly ScoreRanges[], ofClass: ClassChoice | undefined) {
  const all = chooseRows(paired, { choice: 'all', name: paired.names[0] ?? '', order: 'row', within, ofClass })
  return all.toSorted((a, b) => (b.cells[0]?.failed ?? 0) - (a.cells[0]?.failed ?? 0) || a.place - b.place)
}

/** By name; the interval of one that is missing is still computed. */
type Columns = ReadonlyMap<string, readonly MeasuredColumn[]>

function MeasureTable({ paired, columns }: { paired: ComparedRuns; columns: Columns | undefined }) {
  const run = paired.runs[0]
  const measures = useMemo(() => (run ? scoresFirst(run).map((measure) => ({ ...measure, values: valuesOf(measure) })) : []), [run])
  if (!run || measures.length === 0) return <p className="notice">No prediction has a score, a latency or tokens.</p>
  return (
    <div className="scroll">
      <table>
        <caption className="muted">Means over rows, with 95 % intervals</caption>
        <thead>
          <tr>
            <th>Measure</th>
            <th className="number">Mean</th>
            <th>Interval</th>
            <th className="number">Rows</th>
            <th className="number">Coverage</th>
            <th>Distribution</th>
          </tr>
        </thead>
        <tbody>
          {measures.map(({ name, values, isRate, trials }) => (
            <tr key={name} aria-busy={!columns?.has(name)}>
              <th scope="row">{name}</th>
              <td className="number">{numberText(meanOf(values), isRate)}</td>
              <td>{columns?.has(name) ? intervalText(columns.get(name)?.[0]?.mean?.interval, isRate) : '…'}</td>
              <td className="number">{values.length}</td>
              <td className="number">{numberText(trials / run.trials, true)}</td>
              <td>
                <Histogram name={name} values={values} isRate={isRate} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
