import { type Results, rowsAtOnce } from '../evaluation-queries.ts'

interface Properties {
  results: Results
  isReading: boolean
  onMore: () => void
}

/** Says how many rows are left out, where some are, and reads more of them. */
export function RowsLeftOut({ results: { rows, total }, isReading, onMore }: Properties) {
  if (total <= rows.length) return null
  const left = total - rows.length
  return (
    <div className="notice">
      <p role="status">
        {rows.length.toLocaleString('en')} of {total.toLocaleString('en')} rows are shown and counted.
      </p>
      <button type="button" disabled={isReading} onClick={onMore}>
        {isReading
          ? 'Reading …'
          : `Read ${left > rowsAtOnce ? `the next ${rowsAtOnce.toLocaleString('en')}` : `the other ${left.toLocaleString('en')}`}`}
      </button>
    </div>
  )
}
