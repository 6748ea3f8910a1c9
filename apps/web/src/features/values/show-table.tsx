import { isJsonNumber } from '@heddle/json/exact'
import { useMemo, useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { toCell } from '../../lib/texts/to-text.ts'
import type { FlatTable } from './flat-table.ts'
import { Button } from '../../ui/button.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'

const rowsAtOnce = 50
const cellCharacters = 300
/** Pixels below which a column would break words. */
const columnWidth = 120

/** An array of flat objects as a table, some rows at a time. */
export function ShowTable({ label, table: { columns, rows } }: { label: string; table: FlatTable }) {
  const [shown, setShown] = useState(rowsAtOnce)
  const places = useMemo(() => rows.map((row, at) => ({ row, at })), [rows])
  return (
    <>
      <p className="py-1.5 text-xs text-fg-3">{countText(rows.length, 'row')}</p>
      <ListTable
        label={`Table of ${label}`}
        rows={places.slice(0, shown)}
        // Rows keep their order in a value.
        rowId={({ at }) => String(at)}
        rowHeight={32}
        minWidth={columns.length * columnWidth}
        columns={columns.map((name) => columnOf(name, rows))}
      />
      {shown < rows.length && (
        <Button className="mt-2" onClick={() => setShown(shown + rowsAtOnce * 10)}>
          {`Show more of the other ${(rows.length - shown).toLocaleString('en')} rows`}
        </Button>
      )}
    </>
  )
}

interface PlacedRow {
  row: FlatTable['rows'][number]
  at: number
}

const columnOf = (name: string, rows: FlatTable['rows']): ListColumn<PlacedRow> => ({
  id: name,
  title: name,
  wraps: true,
  ...(isOfNumbers(rows, name) && { align: 'right' }),
  // In a fragment, since an empty text is a value here: it has no dash.
  cell: ({ row }) => Object.hasOwn(row, name) && <>{toCell(row[name], cellCharacters)}</>,
})

/** Whether each value of a column is a number. */
const isOfNumbers = (rows: FlatTable['rows'], name: string) =>
  rows.every((row) => !Object.hasOwn(row, name) || typeof row[name] === 'number' || isJsonNumber(row[name]))
