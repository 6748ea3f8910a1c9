import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'

const rowHeight = 34
/** The next page is read this many rows before the last one. */
const rowsAhead = 20

export interface GridColumn<Row> {
  title: string
  /** Least width. */
  rem: number
  /** Share of the width that is left over. Default: none. */
  grow?: number
  isNumber?: boolean
  /** Shown in full when the pointer rests on the cell. */
  hint?: (row: Row) => string | undefined
  cell: (row: Row) => ReactNode
}

interface Properties<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly GridColumn<Row>[]
  keyOf: (row: Row) => string
  /** Called when the last rows come into view. */
  onEnd?: (() => void) | undefined
}

/** Rows of which those in view are drawn. */
export function RowsGrid<Row>({ label, rows, columns, keyOf, onEnd }: Properties<Row>) {
  const scroll = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroll.current, estimateSize: () => rowHeight, overscan: 8 })
  const drawn = virtual.getVirtualItems()
  const last = drawn.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= rows.length - rowsAhead) onEnd?.()
  }, [last, rows.length, onEnd])

  const gridTemplateColumns = columns.map(({ rem, grow = 0 }) => `minmax(${rem}rem, ${grow === 0 ? `${rem}rem` : `${grow}fr`})`).join(' ')
  const minWidth = `${columns.reduce((sum, { rem }) => sum + rem, 0)}rem`
  const cellClass = (column: GridColumn<Row>) => (column.isNumber === true ? 'grid-cell number' : 'grid-cell')
  return (
    <div ref={scroll} className="grid-rows fitting" role="table" aria-label={label} aria-rowcount={rows.length + 1} tabIndex={0}>
      <div className="calls-row grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns, minWidth }}>
        {columns.map((column) => (
          <span key={column.title} role="columnheader" className={cellClass(column)} title={column.title}>
            {column.title}
          </span>
        ))}
      </div>
      <div className="grid-body" role="rowgroup" style={{ height: virtual.getTotalSize(), minWidth }}>
        {drawn.map(({ index, start }) => {
          const row = rows[index]!
          return (
            <div
              key={keyOf(row)}
              role="row"
              aria-rowindex={index + 2}
              className="calls-row grid-row"
              style={{ gridTemplateColumns, transform: `translateY(${start}px)` }}
            >
              {columns.map((column) => (
                <span key={column.title} role="cell" className={cellClass(column)} title={column.hint?.(row)}>
                  {column.cell(row)}
                </span>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}
