import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo, type MouseEvent, type ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { Checkbox } from '../field.tsx'
import { orNoValue } from '../no-value.tsx'
import type { Column, Tracks } from './columns.ts'
import type { RowGroup } from './group-rows.ts'
import { pinnedClass, pinnedStyle } from './pinned.ts'

/** `red`: failed. `amber`: changed and not saved. */
export type RowTone = 'red' | 'amber' | undefined

interface Place {
  elementId: string
  /** From 0. */
  at: number
  start: number
  height: number
}

export interface RowProperties<Row> {
  row: Row
  id: string
  place: Place
  columns: readonly Column<Row>[]
  tracks: Tracks
  isScrolled: boolean
  /** Rows can be chosen. */
  isGrid: boolean
  isActive: boolean
  /** Shown next to the grid. */
  isMarked: boolean
  /** Undefined where rows cannot be selected. */
  isPicked: boolean | undefined
  /** Within a group. */
  isBelow: boolean
  name: string
  tone: RowTone
  onChoose: (row: Row) => void
  onPick: (id: string, isRange: boolean) => void
}

const sideOf = ({ isActive, isMarked, tone }: Pick<RowProperties<object>, 'isActive' | 'isMarked' | 'tone'>) => {
  if (isActive || isMarked) return 'shadow-[inset_2px_0_var(--accent)]'
  return tone === 'red' ? 'shadow-[inset_2px_0_var(--red)]' : tone === 'amber' && 'shadow-[inset_2px_0_var(--amber)]'
}

/** A link, button or field in a row handles its own events. */
const isOwn = ({ target }: MouseEvent) => target instanceof Element && target.closest('a, button, input, label, select') !== null

function AnyRow<Row>(properties: RowProperties<Row>) {
  const { row, id, place, columns, tracks, isScrolled, isGrid, isActive, isMarked, isPicked, name, tone, onChoose, onPick } = properties
  const isChosen = isActive || isMarked || isPicked === true
  return (
    <div
      id={place.elementId}
      role="row"
      aria-rowindex={place.at + 2}
      aria-level={properties.isBelow ? 2 : undefined}
      aria-selected={isGrid ? isActive || isPicked === true : undefined}
      onClick={isGrid ? (event) => !isOwn(event) && onChoose(row) : undefined}
      onAuxClick={(event) => {
        const [link] = event.button === 1 && !isOwn(event) ? event.currentTarget.getElementsByTagName('a') : []
        if (link) window.open(link.href, '_blank', 'noopener')
      }}
      className={cx(
        'group/row absolute top-0 left-0 grid w-full items-center border-b border-line px-2',
        isChosen ? 'bg-selected' : 'bg-sheet hover:bg-hover',
        sideOf(properties),
      )}
      style={{
        gridTemplateColumns: tracks.template,
        minWidth: tracks.minWidth + 16,
        height: place.height,
        transform: `translateY(${place.start}px)`,
      }}
    >
      {isPicked !== undefined && (
        <span role="gridcell" className="sticky left-0 z-1 flex h-full items-center justify-center bg-inherit">
          <Checkbox label={`Select ${name}`} hideLabel checked={isPicked} onChange={(_, isShift) => onPick(id, isShift)} />
        </span>
      )}
      {columns.map((column) => {
        const hint = column.hint?.(row)
        return (
          <span
            key={column.id}
            role={isGrid ? 'gridcell' : 'cell'}
            data-column={column.id}
            data-tip={hint === '' ? undefined : hint}
            data-cut=""
            data-place="top"
            className={cx(
              'num flex min-w-0 items-center px-2',
              column.align === 'right' && 'justify-end text-right',
              column.align === 'center' && 'justify-center',
              pinnedClass(tracks.offsets.get(column.id), isScrolled),
            )}
            style={pinnedStyle(tracks.offsets.get(column.id))}
          >
            <span className="min-w-0 truncate has-[.skeleton]:grow cell-line">{orNoValue(column.cell(row))}</span>
          </span>
        )
      })}
      {tone === 'amber' && <span className="sr-only">Changed</span>}
    </div>
  )
}

/** A row, drawn again only when something of it has changed: scrolling moves it alone. */
export const TableRow = memo(AnyRow, (before, after) => {
  const { place: one, ...others } = before
  const { place: other, ...next } = after
  const isSamePlace = one.at === other.at && one.start === other.start && one.height === other.height
  return isSamePlace && Object.entries(others).every(([name, value]) => value === next[name as keyof typeof next])
}) as typeof AnyRow

interface PassingProperties {
  place: Place
  isGrid: boolean
  minWidth: number
  columns: number
}

/** A row that flies past: as high as others, and of few elements. */
export function PassingRow({ place, isGrid, minWidth, columns }: PassingProperties) {
  return (
    <div
      role="row"
      aria-rowindex={place.at + 2}
      aria-busy
      className="absolute top-0 left-0 flex w-full items-center border-b border-line bg-sheet px-4"
      style={{ minWidth, height: place.height, transform: `translateY(${place.start}px)` }}
    >
      <span role={isGrid ? 'gridcell' : 'cell'} aria-colspan={columns} className="h-2.5 w-3/5 rounded-sm bg-active" />
    </div>
  )
}

interface GroupProperties<Row> {
  group: RowGroup<Row>
  place: Place
  label: string
  isFolded: boolean
  isActive: boolean
  minWidth: number
  columns: number
  totals: ReactNode
  onToggle: (value: string) => void
}

/** The head of a group: its value, how many rows it has, and their totals. */
export function GroupRow<Row>({ group, place, label, isFolded, isActive, minWidth, columns, totals, onToggle }: GroupProperties<Row>) {
  const Chevron = isFolded ? ChevronRight : ChevronDown
  return (
    <div
      id={place.elementId}
      role="row"
      aria-rowindex={place.at + 2}
      aria-level={1}
      aria-expanded={!isFolded}
      aria-selected={isActive}
      onClick={() => onToggle(group.value)}
      className={cx(
        'absolute top-0 left-0 flex w-full items-center border-b border-line px-2',
        isActive ? 'bg-selected shadow-[inset_2px_0_var(--accent)]' : 'bg-sunken hover:bg-hover',
      )}
      style={{ minWidth, height: place.height, transform: `translateY(${place.start}px)` }}
    >
      <span role="gridcell" aria-colspan={columns} className="sticky left-0 flex min-w-0 items-center gap-2 px-2">
        <Chevron size={14} aria-hidden className="text-fg-3" />
        <span className="text-fg-3">{label}</span>
        <span className="truncate font-medium">{group.value === '' ? '–' : group.value}</span>
        <span className="num text-xs text-fg-3">{group.rows.length.toLocaleString('en')}</span>
        {totals && <span className="num ml-2 flex gap-3 text-xs text-fg-2">{totals}</span>}
      </span>
    </div>
  )
}
