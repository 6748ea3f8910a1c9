import { useVirtualizer } from '@tanstack/react-virtual'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useProject } from '../../app/use-project.ts'
import { formatDuration } from '../../components/duration.ts'
import { Time } from '../../components/time.tsx'
import type { CallRow } from './call-row.ts'

const rowHeight = 34
/** So many rows before the last one, the next page is read. */
const rowsAhead = 20

interface Properties {
  rows: readonly CallRow[]
  /** Paths of further columns. */
  columns: readonly string[]
  peek: string | undefined
  onPeek: (id: string | undefined) => void
  onEnd: () => void
}

/** Rows of calls, of which those in view are drawn. */
export function CallsTable({ rows, columns, peek, onPeek, onEnd }: Properties) {
  const scroll = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroll.current, estimateSize: () => rowHeight, overscan: 8 })
  const drawn = virtual.getVirtualItems()
  const last = drawn.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= rows.length - rowsAhead) onEnd()
  }, [last, rows.length, onEnd])

  const gridTemplateColumns = `5.5rem 11rem 12.5rem 12.5rem 11rem 6rem 5.5rem 6rem ${'10rem '.repeat(columns.length)}5rem`
  return (
    <div ref={scroll} className="grid-rows" role="table" aria-label="Calls" aria-rowcount={rows.length + 1}>
      <div className="calls-row grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns }}>
        {['Status', 'Name', 'Input', 'Output', 'Started', 'Latency', 'Tokens', 'Cost', ...columns, 'Peek'].map((title) => (
          <span key={title} role="columnheader" className="grid-cell" title={title}>
            {title}
          </span>
        ))}
      </div>
      <div className="grid-body" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
        {drawn.map(({ index, start }) => {
          const row = rows[index]!
          return (
            <div
              key={row.id}
              role="row"
              aria-rowindex={index + 2}
              className={row.id === peek ? 'calls-row grid-row chosen' : 'calls-row grid-row'}
              style={{ gridTemplateColumns, transform: `translateY(${start}px)` }}
            >
              <Cells row={row} />
              <span role="cell" className="grid-cell">
                <button
                  type="button"
                  className="small"
                  aria-pressed={row.id === peek}
                  aria-label={`Peek at ${row.name}`}
                  onClick={() => onPeek(row.id === peek ? undefined : row.id)}
                >
                  Peek
                </button>
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Cells({ row }: { row: CallRow }) {
  const { entity, project } = useProject()
  return (
    <>
      <span role="cell" className={`grid-cell status-${row.status}`} title={row.error}>
        {row.status}
      </span>
      <span role="cell" className="grid-cell" title={row.name}>
        <Link to="/$entity/$project/calls/$call" params={{ entity, project, call: row.id }}>
          {row.name}
        </Link>
      </span>
      <span role="cell" className="grid-cell" title={row.input}>
        {row.input}
      </span>
      <span role="cell" className="grid-cell" title={row.error ?? row.output}>
        {row.error ?? row.output}
      </span>
      <span role="cell" className="grid-cell">
        <Time value={row.startedAt} />
      </span>
      <span role="cell" className="grid-cell number">
        {row.latencyMs === null ? '' : formatDuration(row.latencyMs)}
      </span>
      <span role="cell" className="grid-cell number">
        {row.tokens?.toLocaleString('en')}
      </span>
      <span role="cell" className="grid-cell number">
        {row.cost === null ? '' : `$${row.cost.toPrecision(3)}`}
      </span>
      {row.further.map((text, at) => (
        // The columns of a row keep their places.
        <span key={String(at)} role="cell" className="grid-cell" title={text}>
          {text}
        </span>
      ))}
    </>
  )
}
