import { type ReactNode, useMemo, useState } from 'react'
import { type GridColumn, RowsGrid } from '../rows-grid.tsx'
import { type AxisRow, type DrawnAxis, valueText } from './axis.ts'

interface Properties {
  axes: readonly DrawnAxis[]
  rows: readonly AxisRow[]
  /** What a row is. */
  noun: string
  /** Leads to the row. */
  link: (row: AxisRow) => ReactNode
  /** Id of the row that the pointer or the focus is at. */
  onMark: (id: string | undefined) => void
}

const keyOf = ({ id }: AxisRow) => id

/** The rows that are kept with their values on the axes, for those who read numbers. */
export function KeptTable({ axes, rows, noun, link, onMark }: Properties) {
  const [isOpen, setIsOpen] = useState(true)
  const columns = useMemo(
    (): GridColumn<AxisRow>[] => [
      {
        title: `${noun[0]?.toUpperCase()}${noun.slice(1)}`,
        rem: 12,
        grow: 2,
        hint: ({ name }) => name,
        cell: (row) => (
          <span
            onPointerEnter={() => onMark(row.id)}
            onPointerLeave={() => onMark(undefined)}
            onFocus={() => onMark(row.id)}
            onBlur={() => onMark(undefined)}
          >
            {link(row)}
          </span>
        ),
      },
      ...axes.map((axis): GridColumn<AxisRow> => {
        const text = ({ values }: AxisRow) => (values.has(axis.id) ? valueText(axis, values.get(axis.id)!) : 'none')
        return { title: axis.name, rem: 7, grow: 1, isNumber: axis.scale.kind !== 'text', hint: text, cell: text }
      }),
    ],
    [axes, noun, link, onMark],
  )
  return (
    <details open onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Kept {noun}s as a table</summary>
      {isOpen && <RowsGrid label={`Kept ${noun}s`} rows={rows} columns={columns} keyOf={keyOf} />}
    </details>
  )
}
