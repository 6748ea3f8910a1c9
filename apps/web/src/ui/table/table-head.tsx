import { ArrowDown, ArrowUp } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { Checkbox } from '../field.tsx'
import type { Column, Tracks } from './columns.ts'
import type { Sorting } from './sorting.ts'
import { pinnedClass, pinnedStyle } from './pinned.ts'
import type { useResize } from './use-resize.ts'

interface Properties<Row> {
  columns: readonly Column<Row>[]
  tracks: Tracks
  sorting: Sorting
  /** Undefined where rows cannot be selected. */
  all: { isChecked: boolean; isMixed: boolean; onChange: (isOn: boolean) => void } | undefined
  /** Columns scroll below pinned ones. */
  isScrolled: boolean
  resize: ReturnType<typeof useResize> | undefined
  onSort: (id: string, isAdding: boolean) => void
}

/** Titles of columns. One of them is reached by Tab, the rest from it by the arrows; Alt and Shift with an arrow change its width. */
export function TableHead<Row>({ columns, tracks, sorting, all, isScrolled, resize, onSort }: Properties<Row>) {
  const [reached, setReached] = useState('')
  const current = columns.some(({ id }) => id === reached) ? reached : columns[0]?.id

  function press(event: KeyboardEvent<HTMLElement>, id: string) {
    if (resize?.press(event, id)) return event.preventDefault()
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = step === undefined || event.altKey ? undefined : columns[columns.findIndex((column) => column.id === id) + step]
    if (!next) return
    event.preventDefault()
    setReached(next.id)
    const heads = event.currentTarget.closest('[role=row]')?.querySelectorAll<HTMLElement>('[data-head]') ?? []
    for (const head of heads) if (head.dataset['head'] === next.id) head.focus()
  }

  return (
    <div role="rowgroup" className="sticky top-0 z-10 border-b border-line bg-sunken" style={{ minWidth: tracks.minWidth + 16 }}>
      <div role="row" aria-rowindex={1} className="grid h-8 items-center bg-sunken px-2" style={{ gridTemplateColumns: tracks.template }}>
        {all && (
          <span role="columnheader" className="sticky left-0 z-1 flex justify-center bg-inherit">
            <Checkbox label="Select all" hideLabel checked={all.isChecked} mixed={all.isMixed} onChange={all.onChange} />
          </span>
        )}
        {columns.map((column) => {
          const sorted = sorting.find(({ id }) => id === column.id)
          const own = {
            'data-head': column.id,
            tabIndex: column.id === current ? 0 : -1,
            onFocus: () => setReached(column.id),
            onKeyDown: (event: KeyboardEvent<HTMLElement>) => press(event, column.id),
          }
          return (
            <span
              key={column.id}
              role="columnheader"
              data-column={column.id}
              aria-sort={sorted ? (sorted.desc ? 'descending' : 'ascending') : undefined}
              {...(!column.sort && own)}
              className={cx(
                'relative flex h-full min-w-0 items-center px-2 text-xs text-fg-3 -outline-offset-2',
                column.align === 'right' && 'justify-end',
                column.align === 'center' && 'justify-center',
                pinnedClass(tracks.offsets.get(column.id), isScrolled),
              )}
              style={pinnedStyle(tracks.offsets.get(column.id))}
            >
              {column.sort ? (
                <button
                  type="button"
                  {...own}
                  onClick={({ shiftKey }) => onSort(column.id, shiftKey)}
                  className={cx('inline-flex h-6 min-w-6 items-center gap-1 rounded-sm hover:text-fg', sorted && 'font-medium text-fg')}
                >
                  <Title column={column} />
                  {sorted && (sorted.desc ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden />)}
                </button>
              ) : (
                <Title column={column} />
              )}
              {resize && (
                <span
                  aria-hidden
                  data-grip={column.id}
                  onPointerDown={(event) => resize.grip(event, column.id)}
                  onDoubleClick={() => resize.fit(column.id)}
                  className="absolute inset-y-1 -right-1 z-1 w-2 cursor-col-resize rounded-xs hover:bg-line-2 active:bg-accent-line"
                />
              )}
            </span>
          )
        })}
      </div>
    </div>
  )
}

function Title<Row>({ column: { title, isTitleHidden = false, tip, color } }: { column: Column<Row> }) {
  return (
    <>
      {color !== undefined && <span aria-hidden className="mr-1.5 size-2 shrink-0 rounded-full" style={{ background: color }} />}
      <span className={isTitleHidden ? 'sr-only' : 'truncate'} data-tip={tip}>
        {title}
      </span>
    </>
  )
}
