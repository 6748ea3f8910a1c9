import { maxRows, type Results } from './evaluation-queries.ts'

/** Says how many rows are left out, where some are. */
export function RowsLeftOut({ results: { rows, total } }: { results: Results }) {
  if (total <= rows.length) return null
  return (
    <p className="notice" role="status">
      Shown and counted are {rows.length.toLocaleString('en')} of {total.toLocaleString('en')} rows, since a page holds{' '}
      {maxRows.toLocaleString('en')}. `heddle eval show` and `heddle eval compare` read all of them.
    </p>
  )
}
