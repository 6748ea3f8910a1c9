import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { orNoValue } from './no-value.tsx'
import type { AnyColumn } from './table/columns.ts'

export interface ListColumn<Row> extends AnyColumn<Row> {
  /** In CSS. Default: an equal part of the remaining space. */
  width?: string
  /** Shown from 1280 px on. */
  wide?: boolean
  /** Its texts continue on further lines. Absent: they are cut at the end. */
  wraps?: boolean
  /** Its cells name their rows. */
  namesRow?: boolean
}

/** Least width of a column whose width is not in pixels. */
const leastText = 112

/** Least width of a table in which such a column has room for a text, in pixels. */
const leastWidth = (columns: readonly Pick<ListColumn<never>, 'width' | 'wide'>[]) =>
  columns.reduce((sum, { width, wide }) => sum + (wide ? 0 : width?.endsWith('px') ? Number.parseFloat(width) : leastText), 0)

const actionsColumn = { id: 'actions', title: 'Actions', isTitleHidden: true, width: '60px', align: 'right' } as const

/** A short table that shows all of its rows. Long ones are a DataTable. */
export function ListTable<Row>({
  label,
  rows,
  columns: given,
  rowId,
  rowHeight = 40,
  minWidth = 0,
  picked,
  framed = false,
  edge = !framed,
  actions,
  empty,
}: {
  label: string
  rows: readonly Row[]
  columns: readonly ListColumn<Row>[]
  rowId: (row: Row) => string
  rowHeight?: number
  minWidth?: number
  picked?: (row: Row) => boolean
  /** In a frame, where it is in no card. */
  framed?: boolean
  /** A line above the heads. Default: where it has no frame. */
  edge?: boolean
  /** The menu of a row, in a last column. */
  actions?: ((row: Row) => ReactNode) | undefined
  /** Said in its place when it has no rows. */
  empty?: string
}) {
  if (empty !== undefined && rows.length === 0)
    return <p className={cx('my-0 text-fg-3', framed && 'rounded-lg border border-line bg-sheet p-4')}>{empty}</p>
  const columns: readonly ListColumn<Row>[] = actions ? [...given, { ...actionsColumn, cell: actions }] : given
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className={cx('relative overflow-x-auto -outline-offset-2', framed && 'rounded-lg border border-line bg-sheet')}
    >
      <table aria-label={label} className="num w-full table-fixed" style={{ minWidth: Math.max(minWidth, leastWidth(columns)) }}>
        <thead>
          <tr className={cx('h-8 border-b border-line bg-sunken text-xs text-fg-3', edge && 'border-t')}>
            {columns.map((c) => (
              <th
                key={c.id}
                scope="col"
                className={cx(
                  'truncate px-2 font-normal first:pl-4 last:pr-4',
                  c.align === 'right' ? 'text-right' : c.align === 'center' ? 'text-center' : 'text-left',
                  c.wide && 'max-xl:hidden',
                )}
                style={{ width: c.width }}
              >
                <span className={c.isTitleHidden ? 'sr-only' : undefined} data-tip={c.tip}>
                  {c.title}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowId(row)}
              className={cx('border-b border-line last:border-0', picked?.(row) ? 'bg-selected' : 'hover:bg-hover')}
              style={{ height: rowHeight }}
            >
              {columns.map((c) => (
                <Cell key={c.id} column={c} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell<Row>({ column, row }: { column: ListColumn<Row>; row: Row }) {
  const { align, wide, wraps, namesRow, cell, hint } = column
  const own = {
    className: cx(
      wraps ? 'px-2 py-1.5 wrap-anywhere' : 'cell-line truncate px-2',
      'font-normal first:pl-4 last:pr-4',
      align === 'right' ? 'text-right' : align === 'center' ? 'text-center' : 'text-left',
      wide && 'max-xl:hidden',
    ),
    'data-tip': hint?.(row) || undefined,
    'data-cut': '',
  }
  return namesRow ? (
    <th scope="row" {...own}>
      {orNoValue(cell(row))}
    </th>
  ) : (
    <td {...own}>{orNoValue(cell(row))}</td>
  )
}
