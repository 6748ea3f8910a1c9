import { Table2 } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { readableName } from '../../lib/texts/readable-name.ts'
import { Fold } from '../../ui/fold.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { type AxisRow, type DrawnAxis, valueText } from './axis.ts'

interface Properties {
  axes: readonly DrawnAxis[]
  rows: readonly AxisRow[]
  /** Noun for a row. */
  noun: string
  /** Leads to the row. */
  link: (row: AxisRow) => ReactNode
  /** Id of the row that the pointer or the focus is at. */
  onMark: (id: string | undefined) => void
}

const idOf = ({ id }: AxisRow) => id
const [rowHeight, maxHeight] = [36, 384]

/** The matching rows with their values on the axes, as a table of numbers. */
export function KeptTable({ axes, rows, noun, link, onMark }: Properties) {
  const columns = useMemo(
    (): Column<AxisRow>[] => [
      {
        id: 'name',
        title: `${noun[0]?.toUpperCase()}${noun.slice(1)}`,
        width: 'minmax(160px, 2fr)',
        pin: 'left',
        sort: ({ name }) => readableName(name),
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
      ...axes.map((axis): Column<AxisRow> => {
        const text = ({ values }: AxisRow) => (values.has(axis.id) ? valueText(axis, values.get(axis.id)!) : 'none')
        return {
          id: `axis ${axis.id}`,
          title: axis.name,
          width: 'minmax(96px, 1fr)',
          sort: ({ values }) => values.get(axis.id) ?? '',
          hint: text,
          cell: text,
          ...(axis.scale.kind !== 'text' && { align: 'right' as const }),
        }
      }),
    ],
    [axes, noun, link, onMark],
  )
  return (
    <Fold icon={Table2} title={`Kept ${noun}s as a table`} isOpenAtFirst>
      <div className="-mx-3 -my-2 flex flex-col" style={{ height: Math.min(maxHeight, 34 + Math.max(1, rows.length) * rowHeight) }}>
        <DataTable label={`Kept ${noun}s`} rows={rows} columns={columns} rowId={idOf} rowHeight={rowHeight} />
      </div>
    </Fold>
  )
}
