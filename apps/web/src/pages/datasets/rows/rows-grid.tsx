import { useQueries } from '@tanstack/react-query'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { client } from '../../../app/client.ts'
import { useProject } from '../../../app/use-project.ts'
import { QueryProblem } from '../../../components/query-problem.tsx'
import { readableName } from '../../../components/readable-name.ts'
import { toCell } from '../../../components/to-text.ts'
import { rowsOfPage, rowsQuery } from '../dataset-queries.ts'
import { cellOf, columnsOf } from './row-columns.ts'
import type { RowEdits } from './row-edits.ts'

interface Properties {
  tableDigest: string
  count: number
  edits: RowEdits
  /** Place of the row that is looked at. */
  active: number
  onActive: (place: number) => void
}

const rowHeight = 34
const rowsOfScreen = 12

/** The rows of a table of any length: those on screen are read and drawn. Arrows, Page keys, Home and End choose a row. */
export function RowsGrid({ tableDigest, count, edits, active, onActive }: Properties) {
  const { id } = useProject()
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    paddingStart: rowHeight,
    overscan: 6,
    // The active row stays in the document, since the grid points at it.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), Math.min(active, count - 1)])].sort((a, b) => a - b),
  })
  // A row that an address names is out of sight at first.
  useEffect(() => virtual.scrollToIndex(active), [])
  const items = virtual.getVirtualItems()
  const pages = [...new Set(items.map(({ index }) => Math.floor(index / rowsOfPage)))]
  const queries = useQueries({ queries: pages.map((page) => rowsQuery(client, id, tableDigest, page * rowsOfPage)) })
  const rowsByPage = new Map(pages.map((page, at) => [page, queries[at]?.data]))
  const rowAt = (place: number) => rowsByPage.get(Math.floor(place / rowsOfPage))?.[place % rowsOfPage]
  const { columns, leftOut } = columnsOf(queries.flatMap(({ data }) => data?.slice(0, 50).map(({ val }) => val) ?? []))
  const gridTemplateColumns = `4.5rem repeat(${Math.max(1, columns.length)}, minmax(9rem, 1fr))`
  const failed = queries.find(({ error }) => error)

  function move(event: KeyboardEvent) {
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: rowsOfScreen,
      PageUp: -rowsOfScreen,
      Home: -count,
      End: count,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const place = Math.min(count - 1, Math.max(0, active + step))
    onActive(place)
    virtual.scrollToIndex(place)
  }

  return (
    <>
      {failed && <QueryProblem error={failed.error} retry={() => void failed.refetch()} />}
      {leftOut > 0 && (
        <p className="notice">
          {columns.length} columns are shown and {leftOut} left out; the row below the table shows all of them.
        </p>
      )}
      <div
        ref={box}
        className="grid-rows"
        role="grid"
        aria-label="Rows"
        aria-rowcount={count + 1}
        aria-colcount={columns.length + 1}
        aria-busy={queries.some(({ isPending }) => isPending)}
        aria-activedescendant={`row-${active}`}
        tabIndex={0}
        onKeyDown={move}
      >
        <div className="grid-row grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns }}>
          <span className="grid-cell number" role="columnheader">
            #
          </span>
          {columns.map((column) => (
            <span key={column} className="grid-cell" role="columnheader" title={readableName(column.slice(0, 200))}>
              {toCell(column, 40)}
            </span>
          ))}
        </div>
        <div className="grid-body" role="presentation" style={{ height: virtual.getTotalSize() - rowHeight }}>
          {items.map(({ index, start }) => {
            const value = edits.changed.get(index) ?? rowAt(index)?.val
            return (
              <div
                key={index}
                id={`row-${index}`}
                className={edits.removed.has(index) ? 'grid-row removed' : 'grid-row'}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={index === active}
                style={{ transform: `translateY(${start - rowHeight}px)`, gridTemplateColumns }}
                onClick={() => onActive(index)}
              >
                <span className="grid-cell number" role="gridcell">
                  {index}
                  {edits.changed.has(index) ? ' *' : ''}
                </span>
                {columns.map((column) => (
                  <span key={column} className="grid-cell" role="gridcell">
                    {value === undefined ? '…' : toCell(cellOf(value, column) ?? '')}
                  </span>
                ))}
              </div>
            )
          })}
        </div>
      </div>
    </>
  )
}
