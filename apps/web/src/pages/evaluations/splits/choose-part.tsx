import type { EvalResultsRow } from '@heddle/core-api'
import { useMemo } from 'react'
import { splitsOf, type SplitSearch } from './row-splits.ts'

interface Properties {
  /** All that were read. */
  rows: readonly EvalResultsRow[]
  search: SplitSearch
  onChange: (changed: SplitSearch) => void
}

/** Chooses a column of the dataset as split, and the part of it that figures and rows are of. Nothing where no column splits the rows. */
export function ChoosePart({ rows, search: { split, part }, onChange }: Properties) {
  const splits = useMemo(() => splitsOf(rows), [rows])
  const chosen = splits.find(({ column }) => column === split)
  if (splits.length === 0 && split === undefined) return null
  return (
    <>
      <div className="row">
        <label htmlFor="split">Split of the dataset</label>
        <select
          id="split"
          value={chosen?.column ?? ''}
          onChange={({ target }) => onChange({ split: target.value || undefined, part: undefined })}
        >
          <option value="">none</option>
          {splits.map(({ column }) => (
            <option key={column}>{column}</option>
          ))}
        </select>
        {chosen && (
          <>
            <label htmlFor="part">Part</label>
            <select id="part" value={part ?? ''} onChange={({ target }) => onChange({ part: target.value || undefined })}>
              <option value="">all</option>
              {chosen.parts.map(({ value, rows: count }) => (
                <option key={value} value={value}>
                  {value} ({count.toLocaleString('en')})
                </option>
              ))}
            </select>
          </>
        )}
      </div>
      {chosen && part !== undefined && !chosen.parts.some(({ value }) => value === part) && (
        <p className="notice">
          No row has {part} as {split}.
        </p>
      )}
      {split !== undefined && !chosen && <p className="notice">The rows have no column {split} that splits them into a few parts.</p>}
    </>
  )
}
