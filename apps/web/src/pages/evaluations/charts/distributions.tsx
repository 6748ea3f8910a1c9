import { useMemo, useState } from 'react'
import { valuesOf } from '@heddle/evaluations'
import type { ComparedRuns } from '../compared-runs.ts'
import { KeptRanges } from '../rows/kept-ranges.tsx'
import { maxKept, type RangeSearch } from '../rows/score-range.ts'
import { numberText } from './number-text.ts'
import { Scatter } from './scatter.tsx'
import { toSharedBins } from './shared-bins.ts'

const barHeight = 48

interface Properties {
  compared: ComparedRuns
  labels: readonly string[]
  /** The measure by which rows are chosen. */
  name: string
  search: RangeSearch
  onChange: (changed: RangeSearch) => void
}

/** How the values of a measure are distributed in each run, and a second one against it. Bars, a rectangle in the scatter and the fields choose rows. */
export function Distributions({ compared, labels, name, search, onChange }: Properties) {
  const { from, to, against, of, ranges = [] } = search
  const others = compared.names.filter((one) => one !== name)
  const second = against !== undefined && others.includes(against) ? against : undefined
  const measures = (wanted: string) => compared.runs.map((run) => run.measures.get(wanted))
  const isRate = measures(name).every((one) => one?.isRate ?? true)
  const bins = useMemo(
    () => toSharedBins(compared.runs.map((run) => (run.measures.has(name) ? valuesOf(run.measures.get(name)!) : []))),
    [compared.runs, name],
  )
  const hasRange = [from, to, search.againstFrom, search.againstTo].some((one) => one !== undefined)
  // It stays open when the last range is taken away.
  const [isOpen, setOpen] = useState(hasRange || against !== undefined || ranges.length > 0)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Distribution of {name}, and rows of a range</summary>
      {against !== undefined && second === undefined && <p className="notice">{against} is no other measure of these runs.</p>}
      {labels.map((label, run) => (
        <div key={label} className="bins" role="group" aria-label={`Rows of ${label} by ${name}`}>
          <span className="bins-name">
            {run + 1}. {label}
          </span>
          {bins.map(({ low, high, counts }) => {
            const count = counts[run] ?? 0
            const most = Math.max(1, ...bins.map((bin) => bin.counts[run] ?? 0))
            const isChosen = from === low && to === high && of === run + 1
            const range = low === high ? numberText(low, isRate) : `${numberText(low, isRate)} to ${numberText(high, isRate)}`
            return (
              <button
                key={low}
                type="button"
                aria-pressed={isChosen}
                aria-label={`${range}: ${count === 1 ? '1 row' : `${count} rows`}`}
                onClick={() =>
                  onChange(isChosen ? { from: undefined, to: undefined, of: undefined } : { from: low, to: high, of: run + 1 })
                }
              >
                <span>{count}</span>
                <span className="bar" style={{ height: count === 0 ? 0 : Math.max(2, (count / most) * barHeight) }} />
                <span>{range}</span>
              </button>
            )
          })}
        </div>
      ))}
      <div className="row">
        <NumberField label={`${name} from`} value={from} onChange={(value) => onChange({ from: value })} />
        <NumberField label="to" value={to} onChange={(value) => onChange({ to: value })} />
        {labels.length > 1 && (
          <>
            <label htmlFor="range-run">in</label>
            <select
              id="range-run"
              value={of ?? ''}
              onChange={({ target }) => onChange({ of: target.value === '' ? undefined : Number(target.value) })}
            >
              <option value="">any run</option>
              {labels.map((label, run) => (
                <option key={label} value={run + 1}>
                  {run + 1}. {label}
                </option>
              ))}
            </select>
          </>
        )}
        {hasRange && (
          <button
            type="button"
            onClick={() => onChange({ from: undefined, to: undefined, againstFrom: undefined, againstTo: undefined, of: undefined })}
          >
            All values
          </button>
        )}
        {(from !== undefined || to !== undefined) && ranges.length < maxKept && (
          <button
            type="button"
            onClick={() => onChange({ from: undefined, to: undefined, of: undefined, ranges: [...ranges, { name, from, to, of }] })}
          >
            Keep this range beside others
          </button>
        )}
      </div>
      <KeptRanges ranges={ranges} compared={compared} labels={labels} onChange={(kept) => onChange({ ranges: kept })} />
      {others.length > 0 && (
        <div className="row">
          <label htmlFor="against">Against</label>
          <select
            id="against"
            value={second ?? ''}
            onChange={({ target }) => onChange({ against: target.value || undefined, againstFrom: undefined, againstTo: undefined })}
          >
            <option value="">no other measure</option>
            {others.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          {second !== undefined && (
            <>
              <NumberField label="from" value={search.againstFrom} onChange={(value) => onChange({ againstFrom: value })} />
              <NumberField label="up to" value={search.againstTo} onChange={(value) => onChange({ againstTo: value })} />
            </>
          )}
        </div>
      )}
      {second !== undefined && (
        <Scatter
          runs={labels}
          x={{ name, measures: measures(name) }}
          y={{ name: second, measures: measures(second) }}
          onBrush={({ x, y }) => onChange({ from: x[0], to: x[1], againstFrom: y[0], againstTo: y[1] })}
        />
      )}
    </details>
  )
}

function NumberField({
  label,
  value,
  onChange,
}: {
  label: string
  value: number | undefined
  onChange: (value: number | undefined) => void
}) {
  return (
    <label className="row">
      {label}
      <input
        type="number"
        className="short"
        step="any"
        value={value === undefined ? '' : Number(value.toPrecision(6))}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.valueAsNumber)}
      />
    </label>
  )
}
