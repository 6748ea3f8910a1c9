import { useEffect, useRef } from 'react'
import { LongText } from '../../../components/long-text.tsx'
import { toText } from '../../../components/to-text.ts'
import type { MatrixRow } from '../compared-runs.ts'
import { TrialDetail } from './trial-detail.tsx'

interface Properties {
  runs: readonly string[]
  /** Ids of the runs, in their order. */
  ids: readonly string[]
  row: MatrixRow | undefined
  /** Whether outputs are shown as their differences from that of the first run. Undefined where there is one run. */
  showsDifferences?: boolean
  onDifferences?: (isOn: boolean) => void
  /** The rows that are listed, in their order, and the way to another one of them. */
  listed: readonly MatrixRow[]
  onSelect: (digest: string) => void
}

/** All that the runs made of one row: the trials of each, with their scores and traces, beside each other. */
export function RowDetail({ runs, ids, row, showsDifferences = false, onDifferences, listed, onSelect }: Properties) {
  const heading = useRef<HTMLHeadingElement>(null)
  const digest = row?.row.row_digest
  // The rows above fill the screen, so a choice would otherwise seem to do nothing.
  useEffect(() => {
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [digest])
  if (!row) return <p className="notice">The row in the address is not among the rows shown.</p>
  const baseline = row.cells[0]?.trials.find(({ model_output }) => model_output !== null)?.model_output
  return (
    <section aria-label="Row">
      <h2 ref={heading} className="row-heading">
        Row {row.row.row_digest.slice(0, 12)}
      </h2>
      <RowsBeside row={row} listed={listed} onSelect={onSelect} />
      <LongText text={toText(row.row.raw_data_row)} label="Row of the dataset" />
      {onDifferences && (
        <label className="row">
          <input type="checkbox" checked={showsDifferences} onChange={({ target }) => onDifferences(target.checked)} />
          Show outputs as differences from the baseline
        </label>
      )}
      <div className="beside">
        {runs.map((run, at) => (
          <div key={run}>
            <h3>{run}</h3>
            {row.cells[at] ? (
              row.cells[at].trials.map((trial, place) => (
                <TrialDetail
                  key={trial.predict_and_score_call_id}
                  trial={trial}
                  run={ids[at] ?? ''}
                  place={place}
                  comparedWith={showsDifferences && at > 0 ? (baseline ?? null) : null}
                />
              ))
            ) : (
              <p className="muted">This run has no prediction for the row.</p>
            )}
          </div>
        ))}
      </div>
    </section>
  )
}

interface BesideProperties {
  row: MatrixRow
  listed: readonly MatrixRow[]
  onSelect: (digest: string) => void
}

/** The way to the previous and to the next row of the list. */
function RowsBeside({ row, listed, onSelect }: BesideProperties) {
  const at = listed.indexOf(row)
  const [previous, next] = at < 0 ? [] : [listed[at - 1], listed[at + 1]]
  const open = (other: MatrixRow | undefined) => other && onSelect(other.row.row_digest)
  return (
    <div className="row">
      <button type="button" disabled={!previous} onClick={() => open(previous)}>
        Previous row
      </button>
      <button type="button" disabled={!next} onClick={() => open(next)}>
        Next row
      </button>
      <span className="muted">
        {at < 0
          ? 'Not among the rows listed above'
          : `${(at + 1).toLocaleString('en')} of ${listed.length.toLocaleString('en')} rows listed`}
      </span>
    </div>
  )
}
