import type { EvaluationRun } from '@heddle/evaluations'
import { type Measure, type MeasuredRun, meanOf, valuesOf } from '@heddle/evaluations'
import { useState } from 'react'
import { formatCost } from '../../components/format-cost.ts'
import { changeIntervalText, changeText, intervalText, numberText } from './charts/number-text.ts'
import type { ComparedRuns } from './compared-runs.ts'
import type { MeasuredColumn } from './intervals/measured-columns.ts'
import { moveTo } from './move-to.ts'

/** What the trials of runs cost. */
export interface RunCosts {
  /** By the id of the run, where models with a known price ran. */
  dollars: ReadonlyMap<string, number>
  /** Of all trials, and not of those of the rows that were chosen. */
  isOfAll: boolean
}

interface Properties {
  compared: ComparedRuns
  /** By name; the intervals of one that is missing are still computed. */
  columns: ReadonlyMap<string, readonly MeasuredColumn[]> | undefined
  runs: readonly EvaluationRun[]
  labels: readonly string[]
  costs: RunCosts
  onBaseline: (id: string) => void
  /** Ids in another order; the first is the baseline. */
  onOrder: (ids: readonly string[]) => void
  /** A measure by which rows are chosen. */
  onMeasure: (name: string) => void
}

/** Means of each run, and their paired differences from the baseline. Runs are moved by dragging their heads, or by buttons. */
export function RunsTable({ compared, columns, runs, labels, costs, onBaseline, onOrder, onMeasure }: Properties) {
  const [dragged, setDragged] = useState<string>()
  const ids = runs.map(({ id }) => id)
  return (
    <div className="scroll">
      <table>
        <caption className="muted">
          Means over rows, and differences from the baseline with 95 % intervals. A difference whose interval holds 0 may be chance.
        </caption>
        <thead>
          <tr>
            <th>Measure</th>
            {runs.map((run, at) => (
              <th
                key={run.id}
                scope="col"
                className="run-head"
                draggable
                onDragStart={({ dataTransfer }) => {
                  dataTransfer.setData('text/plain', run.id)
                  dataTransfer.effectAllowed = 'move'
                  setDragged(run.id)
                }}
                onDragEnd={() => setDragged(undefined)}
                onDragOver={(event) => dragged !== undefined && event.preventDefault()}
                onDrop={(event) => {
                  event.preventDefault()
                  if (dragged !== undefined && dragged !== run.id) onOrder(moveTo(ids, dragged, at))
                }}
              >
                {at + 1}. {labels[at]}
                <br />
                {at === 0 ? (
                  'baseline'
                ) : (
                  <>
                    <button type="button" onClick={() => onBaseline(run.id)}>
                      Make baseline
                    </button>{' '}
                    <button
                      type="button"
                      aria-label={`Move ${labels[at]} to the left`}
                      onClick={() => onOrder(moveTo(ids, run.id, at - 1))}
                    >
                      ←
                    </button>
                  </>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {compared.names.map((name) => (
            <tr key={name} aria-busy={!columns?.has(name)}>
              <th scope="row">
                <button type="button" className="as-link" title="Choose and order rows by it" onClick={() => onMeasure(name)}>
                  {name}
                </button>
              </th>
              {runs.map((run, place) => (
                <td key={run.id}>
                  {columns?.has(name) ? (
                    <MeasureCell column={columns.get(name)?.[place]} />
                  ) : (
                    <PendingCell measure={compared.runs[place]?.measures.get(name)} />
                  )}
                  <Coverage run={compared.runs[place]} name={name} />
                </td>
              ))}
            </tr>
          ))}
          {costs.dollars.size > 0 && (
            <tr>
              <th scope="row">{costs.isOfAll ? 'cost of all trials' : 'cost of the trials of these rows'}</th>
              {runs.map((run) => (
                <td key={run.id}>
                  <RunCost cost={costs.dollars.get(run.id)} before={runs[0] === run ? undefined : costs.dollars.get(runs[0]?.id ?? '')} />
                </td>
              ))}
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

function RunCost({ cost, before }: { cost: number | undefined; before: number | undefined }) {
  if (cost === undefined) return <span className="muted">no known price</span>
  const change = before === undefined ? 0 : cost - before
  return (
    <>
      {formatCost(cost)} {change !== 0 && <strong>{change > 0 ? `▲ +${formatCost(change)}` : `▼ -${formatCost(-change)}`}</strong>}
    </>
  )
}

/** Of how many rows and of which share of the trials a mean is. */
function Coverage({ run, name }: { run: MeasuredRun | undefined; name: string }) {
  const measure = run?.measures.get(name)
  if (!run || !measure) return null
  const rows = valuesOf(measure).length
  return (
    <div className="muted">
      {rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`}, {numberText(measure.trials / run.trials, true)} of the trials
    </div>
  )
}

/** The mean, while its interval is computed. */
function PendingCell({ measure }: { measure: Measure | undefined }) {
  if (!measure) return <span className="muted">no value</span>
  return (
    <>
      {numberText(meanOf(valuesOf(measure)), measure.isRate)} <span className="muted">(…)</span>
    </>
  )
}

function MeasureCell({ column }: { column: MeasuredColumn | undefined }) {
  if (!column?.mean) return <span className="muted">no value</span>
  const { mean, comparison, isRate } = column
  const interval = comparison?.difference.interval
  const isClear = interval ? interval.low > 0 || interval.high < 0 || interval.low === interval.high : false
  return (
    <>
      {numberText(mean.value, isRate)} <span className="muted">({intervalText(mean.interval, isRate)})</span>
      {comparison && (
        <>
          <br />
          <strong>{changeText(comparison.difference.value, isRate)}</strong> ({changeIntervalText(interval, isRate)})
          {isClear ? '' : ', may be chance'}
          <br />
          <span className="muted">
            {comparison.paired_rows} rows in both: {comparison.higher_rows} higher, {comparison.lower_rows} lower
            {comparison.p_value !== null && `; p ${comparison.p_value < 0.0001 ? '< 0.0001' : comparison.p_value.toPrecision(2)}`}
          </span>
        </>
      )}
    </>
  )
}
