import { useEffect, useRef } from 'react'
import { LongText } from '../../../components/long-text.tsx'
import { toText } from '../../../components/to-text.ts'
import type { MatrixRow } from '../compared-runs.ts'
import type { OutputView } from './row-choices.ts'
import { TrialDetail } from './trial-detail.tsx'

interface Properties {
  runs: readonly string[]
  /** Ids of the runs, in their order. */
  ids: readonly string[]
  row: MatrixRow | undefined
  /** How outputs are shown: as their differences from that of the first run, of JSON by its parts or all by lines. Undefined: whole. */
  outputs?: OutputView | undefined
  /** Undefined where there is one run. */
  onOutputs?: (outputs: OutputView | undefined) => void
  /** The rows that are listed, in their order, and the way to another one of them. */
  listed: readonly MatrixRow[]
  onSelect: (digest: string) => void
}

/** All that the runs made of one row: the trials of each, with their scores and traces, beside each other. */
export function RowDetail({ runs, ids, row, outputs, onOutputs, listed, onSelect }: Properties) {
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
      {onOutputs && (
        <div className="row">
          <label className="row">
            <input
              type="checkbox"
              checked={outputs !== undefined}
              onChange={({ target }) => onOutputs(target.checked ? 'differences' : undefined)}
            />
            Show outputs as differences from the baseline
          </label>
          {outputs !== undefined && (
            <label className="row">
              <input
                type="checkbox"
                checked={outputs === 'lines'}
                onChange={({ target }) => onOutputs(target.checked ? 'lines' : 'differences')}
              />
              Also JSON line by line
            </label>
          )}
        </div>
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
                  comparedWith={outputs !== undefined && at > 0 ? (baseline ?? null) : null}
                  isByLines={outputs === 'lines'}
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
