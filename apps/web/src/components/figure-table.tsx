import { useState } from 'react'
import { type GridColumn, RowsGrid } from './rows-grid.tsx'

interface Properties<Row> {
  /** Of the figure. */
  name: string
  /** The oldest first. */
  rows: readonly Row[]
  columns: readonly GridColumn<Row>[]
  keyOf: (row: Row) => string
}

/** What a figure draws, for those who read numbers: the newest first, and drawn only once it is opened. */
export function FigureTable<Row>({ name, rows, columns, keyOf }: Properties<Row>) {
  const [isOpen, setIsOpen] = useState(false)
  const label = `${name} as a table`
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary aria-label={label}>As a table</summary>
      {isOpen && <RowsGrid label={label} rows={rows.toReversed()} columns={columns} keyOf={keyOf} />}
    </details>
  )
}
