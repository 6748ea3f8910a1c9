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
}

/** All that the runs made of one row: the trials of each, with their scores and traces, beside each other. */
export function RowDetail({ runs, ids, row, showsDifferences = false, onDifferences }: Properties) {
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
