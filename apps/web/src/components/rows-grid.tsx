import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useRows } from './use-rows.ts'

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

/** Which row the keys and the pointer have chosen. */
export interface RowChoice<Row> {
  /** Key of the chosen row. */
  chosen: string | undefined
  onChoose: (row: Row) => void
  /** A key that was pressed on the chosen row; true when it did something. */
  onKey?: (key: string, row: Row) => boolean
  /** Key of the row that is shown beside the grid. */
  marked?: string | undefined
}

interface Properties<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly GridColumn<Row>[]
  keyOf: (row: Row) => string
  /** Called when the last rows come into view. */
  onEnd?: (() => void) | undefined
  /** Called when the first row comes into view, or leaves it. */
  onTop?: ((isAtTop: boolean) => void) | undefined
  /** Default: rows are only read. */
  choice?: RowChoice<Row> | undefined
}

const idOf = (key: string) => `row-${key}`
const cellClass = ({ isNumber = false }: { isNumber?: boolean }) => (isNumber ? 'grid-cell number' : 'grid-cell')

/** Rows of which those in view are drawn. With a choice, the keys choose one of them. */
export function RowsGrid<Row>({ label, rows, columns, keyOf, onEnd, onTop, choice }: Properties<Row>) {
  const scroll = useRef<HTMLDivElement>(null)
  const places = useMemo(() => new Map(choice && rows.map((row, at) => [keyOf(row), at])), [choice !== undefined, rows, keyOf])
  const chosen = places.get(choice?.chosen ?? '') ?? -1
  const { virtual, onKeyDown } = useRows({
    count: rows.length,
    rowHeight,
    headHeight: rowHeight,
    scroll,
    chosen,
    onChoose: (at) => choice?.onChoose(rows[at]!),
  })
  const drawn = virtual.getVirtualItems()
  const last = virtual.range?.endIndex ?? 0
  useEffect(() => {
    if (last >= rows.length - rowsAhead) onEnd?.()
  }, [last, rows.length, onEnd])

  function press(event: KeyboardEvent) {
    onKeyDown(event)
    const row = rows[chosen]
    if (event.target === event.currentTarget && row !== undefined && choice?.onKey?.(event.key, row) === true) event.preventDefault()
  }

  const gridTemplateColumns = columns.map(({ rem, grow = 0 }) => `minmax(${rem}rem, ${grow === 0 ? `${rem}rem` : `${grow}fr`})`).join(' ')
  const minWidth = `max(100%, ${columns.reduce((sum, { rem }) => sum + rem, 0)}rem)`
  return (
    <div
      ref={scroll}
      className={choice ? 'grid-rows' : 'grid-rows fitting'}
      role={choice ? 'grid' : 'table'}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={chosen < 0 ? undefined : idOf(keyOf(rows[chosen]!))}
      tabIndex={0}
      onScroll={onTop && (({ currentTarget }) => onTop(currentTarget.scrollTop === 0))}
      onKeyDown={choice && press}
    >
      <div className="grid-line grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns, minWidth }}>
        {columns.map((column) => (
          <span key={column.title} role="columnheader" className={cellClass(column)} title={column.title}>
            {column.title}
          </span>
        ))}
      </div>
      <div className="grid-body" role="rowgroup" style={{ height: virtual.getTotalSize(), minWidth }}>
        {drawn.map(({ index, start }) => {
          const row = rows[index]!
          const key = keyOf(row)
          return (
            <div
              key={key}
              id={choice && idOf(key)}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={choice && index === chosen}
              className={choice?.marked === key ? 'grid-line grid-row chosen' : 'grid-line grid-row'}
              style={{ gridTemplateColumns, transform: `translateY(${start}px)` }}
              onClick={
                choice &&
                (({ target }) => {
                  if (target instanceof Element && target.closest('a, button, input') === null) choice.onChoose(row)
                })
              }
            >
              {columns.map((column) => (
                <span key={column.title} role={choice ? 'gridcell' : 'cell'} className={cellClass(column)} title={column.hint?.(row)}>
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
