import { Link, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import { formatDuration } from '../../components/duration.ts'
import { Time } from '../../components/time.tsx'
import { useRows } from '../../components/use-rows.ts'
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
  /** Called when the first row comes into view, or leaves it. */
  onTop?: ((isAtTop: boolean) => void) | undefined
}

const idOfRow = (id: string) => `call-row-${id}`

/** Rows of calls, of which those in view are drawn. The keys choose one; Space shows it beside the table, and Enter opens its trace. */
export function CallsTable({ rows, columns, peek, onPeek, onEnd, onTop }: Properties) {
  const { entity, project } = useProject()
  const navigate = useNavigate()
  const scroll = useRef<HTMLDivElement>(null)
  const [chosenId, setChosenId] = useState(peek)
  const places = useMemo(() => new Map(rows.map(({ id }, at) => [id, at])), [rows])
  const chosen = places.get(chosenId ?? '') ?? -1

  function choose(id: string) {
    setChosenId(id)
    if (peek !== undefined) onPeek(id)
  }

  const { virtual, onKeyDown } = useRows({
    count: rows.length,
    rowHeight,
    headHeight: rowHeight,
    scroll,
    chosen,
    onChoose: (at) => choose(rows[at]!.id),
  })
  const drawn = virtual.getVirtualItems()
  const last = virtual.range?.endIndex ?? 0
  useEffect(() => {
    if (last >= rows.length - rowsAhead) onEnd()
  }, [last, rows.length, onEnd])

  function open(event: KeyboardEvent) {
    onKeyDown(event)
    const id = rows[chosen]?.id
    if (event.target !== event.currentTarget || id === undefined) return
    if (event.key === ' ') {
      event.preventDefault()
      onPeek(id === peek ? undefined : id)
    }
    if (event.key === 'Enter') void navigate({ to: '/$entity/$project/calls/$call', params: { entity, project, call: id } })
  }

  const gridTemplateColumns = `5.5rem 11rem 12.5rem 12.5rem 11rem 6rem 5.5rem 6rem ${'10rem '.repeat(columns.length)}5rem`
  return (
    <div
      ref={scroll}
      onScroll={({ currentTarget }) => onTop?.(currentTarget.scrollTop === 0)}
      className="grid-rows"
      role="grid"
      aria-label="Calls"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={chosen < 0 ? undefined : idOfRow(rows[chosen]!.id)}
      tabIndex={0}
      onKeyDown={open}
    >
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
              id={idOfRow(row.id)}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={index === chosen}
              className={row.id === peek ? 'calls-row grid-row chosen' : 'calls-row grid-row'}
              style={{ gridTemplateColumns, transform: `translateY(${start}px)` }}
              onClick={({ target }) => {
                if (target instanceof Element && target.closest('a, button') === null) choose(row.id)
              }}
            >
              <Cells row={row} />
              <span role="gridcell" className="grid-cell">
                <button
                  type="button"
                  className="small"
                  aria-pressed={row.id === peek}
                  aria-label={`Peek at ${row.name}`}
                  onClick={() => {
                    setChosenId(row.id)
                    onPeek(row.id === peek ? undefined : row.id)
                  }}
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
      <span role="gridcell" className={`grid-cell status-${row.status}`} title={row.error}>
        {row.status}
      </span>
      <span role="gridcell" className="grid-cell" title={row.name}>
        <Link to="/$entity/$project/calls/$call" params={{ entity, project, call: row.id }}>
          {row.name}
        </Link>
      </span>
      <span role="gridcell" className="grid-cell" title={row.input}>
        {row.input}
      </span>
      <span role="gridcell" className="grid-cell" title={row.error ?? row.output}>
        {row.error ?? row.output}
      </span>
      <span role="gridcell" className="grid-cell">
        <Time value={row.startedAt} />
      </span>
      <span role="gridcell" className="grid-cell number">
        {row.latencyMs === null ? '' : formatDuration(row.latencyMs)}
      </span>
      <span role="gridcell" className="grid-cell number">
        {row.tokens?.toLocaleString('en')}
      </span>
      <span role="gridcell" className="grid-cell number">
        {row.cost === null ? '' : `$${row.cost.toPrecision(3)}`}
      </span>
      {row.further.map((text, at) => (
        // The columns of a row keep their places.
        <span key={String(at)} role="gridcell" className="grid-cell" title={text}>
          {text}
        </span>
      ))}
    </>
  )
}
