import { type KeyboardEvent, type ReactNode, Suspense, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { Skeleton } from '../card.tsx'
import { type Arrangement, arrange, type Column, tracksOf, type Tracks } from './columns.ts'
import { groupRows, type Line, linesOf } from './group-rows.ts'
import { useDensity, useGridPreferences } from './preferences.ts'
import { nextSorting, type Sorting } from './sorting.ts'
import type { SortRows as AnySortRows } from './sort-rows.tsx'
import { TableHead } from './table-head.tsx'
import { GroupRow, PassingRow, type RowTone, TableRow } from './table-row.tsx'
import { useResize } from './use-resize.ts'
import { useRows } from './use-rows.ts'
import { lazyPart } from '../lazy-part.tsx'

// The type of a lazy component has no type parameter.
const SortRows = lazyPart(() => import('./sort-rows.tsx').then(({ SortRows }) => SortRows)) as unknown as typeof AnySortRows

const headHeight = 32
const groupHeight = 32
const selectionWidth = 40
const heights = { comfortable: 36, compact: 32 }
/** The next rows are requested when this many rows before the last one are visible. */
const rowsAhead = 20
const skeletonRows = 8
/** More than are ever in the page. */
const passingRows = 512
const noneHidden: readonly string[] = []

/** How rows are put under heads. */
export interface Grouping<Row> {
  /** Name of the value, such as `Model`. */
  label: string
  valueOf: (row: Row) => string
  totals?: (rows: readonly Row[]) => ReactNode
}

export interface TableProperties<Row> {
  label: string
  /** Under which this browser keeps widths and order of the columns. Default: they are kept while the grid is shown. */
  name?: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowId: (row: Row) => string
  /** Noun for a row. Default: `row`. */
  rowName?: (row: Row) => string
  /** Pixels. Default: from the density. */
  rowHeight?: number
  hidden?: readonly string[]
  /** Rows are chosen by keys, though they do not open. Default: if they open, are shown next to the grid or are selected. */
  isGrid?: boolean
  /** Id of the row that the keys are at, with `onActive`. Default: the grid keeps it, at first the one next to it. */
  active?: string | undefined
  onActive?: ((row: Row) => void) | undefined
  /** Enter. */
  onOpen?: ((row: Row) => void) | undefined
  /** Space, and a press on the row. */
  onPeek?: ((row: Row) => void) | undefined
  /** A further key on the active row; true when it did something. */
  onKey?: ((key: string, row: Row) => boolean) | undefined
  /** Id of the row that is shown next to the grid. */
  marked?: string | undefined
  selection?: ReadonlySet<string> | undefined
  onSelection?: ((ids: ReadonlySet<string>) => void) | undefined
  tone?: ((row: Row) => RowTone) | undefined
  /** Where the server sorts. Default: the grid sorts the rows that it has. */
  sorting?: { value: Sorting; onChange: (sorting: Sorting) => void } | undefined
  sortBy?: Sorting
  group?: Grouping<Row> | undefined
  /** Called when the last rows become visible. */
  onEnd?: (() => void) | undefined
  /** Called when the first row becomes visible or hidden. */
  onTop?: ((isAtTop: boolean) => void) | undefined
  /** Called with the indexes of the first and the last visible row when they change. It must be stable while the grid is shown. */
  onRange?: ((first: number, last: number) => void) | undefined
  isLoading?: boolean
  /** Shown instead of rows, if there are none. */
  empty?: ReactNode
  className?: string
}

const noSorting: Sorting = []

/**
 * Rows in columns; only visible rows are in the page. The arrows, Page, Home and End move; Enter opens, Space shows a row next to the grid, x selects
 * it, and the sideways arrows fold groups. Columns are resized by their grips, or by Alt, Shift and the arrows on their heads.
 */
export function DataTable<Row extends object>(properties: TableProperties<Row>) {
  const { label, rows, rowId, rowName, marked, selection, onSelection, tone, group, onEnd, onTop, isLoading = false } = properties
  const { onActive, onOpen, onPeek } = properties
  const isGrid = properties.isGrid ?? [onActive, onOpen, onPeek, onSelection].some((one) => one !== undefined)
  const ownId = useId()
  const gridId = properties.name ?? ownId
  const scroll = useRef<HTMLDivElement>(null)
  const [isScrolled, setIsScrolled] = useState(false)
  const { columns, tracks, resize } = useColumns(properties, scroll)
  const [ownSorting, setOwnSorting] = useState<Sorting>(properties.sortBy ?? noSorting)
  const sorting = properties.sorting?.value ?? ownSorting
  const { sorted, onSorted } = useSorted(rows, properties.sorting === undefined && ownSorting.length > 0)
  const { lines, toggle } = useLines(sorted, group)
  const { at, choose, activate } = usePlace(lines, isGrid, properties)
  const [density] = useDensity()
  const rowHeight = properties.rowHeight ?? heights[density]
  const heightOf = useMemo(
    () => (group === undefined ? rowHeight : (place: number) => (lines[place]?.kind === 'group' ? groupHeight : rowHeight)),
    [group === undefined, lines, rowHeight],
  )
  const {
    rows: drawn,
    total,
    inSight,
    areAllWhole,
    onKeyDown,
  } = useRows({ count: lines.length, rowHeight: heightOf, headHeight, scroll, chosen: at, onChoose: choose, arePassedLight: true })
  const { first = 0, last = 0 } = inSight ?? {}
  useEffect(() => {
    if (areAllWhole && last >= lines.length - rowsAhead) onEnd?.()
  }, [areAllWhole, last, lines.length, onEnd])
  const { onRange } = properties
  // Nothing is read for rows that fly past.
  useEffect(() => {
    if (areAllWhole) onRange?.(first, last)
  }, [areAllWhole, first, last, onRange])
  const pick = usePicking(sorted, properties)
  const latest = useRef({ activate, onPeek })
  latest.current = { activate, onPeek }
  const handlers = useMemo(
    () => ({
      choose(row: Row) {
        latest.current.activate(row)
        latest.current.onPeek?.(row)
      },
      pick: (id: string, isRange: boolean) => pick.current(id, isRange),
    }),
    [pick],
  )

  function press(event: KeyboardEvent) {
    onKeyDown(event)
    const line = lines[at]
    if (event.target !== event.currentTarget || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !line) return
    if (pressLine(event, line)) event.preventDefault()
  }
  function pressLine({ key, shiftKey }: KeyboardEvent, line: Line<Row>): boolean {
    if (key === 'ArrowLeft' || key === 'ArrowRight') return fold(line, key === 'ArrowLeft')
    if (line.kind === 'group') return (key === 'Enter' || key === ' ') && (toggle(line.group.value), true)
    const { row } = line
    if (key === 'Enter' && onOpen) onOpen(row)
    else if (key === ' ' && onPeek) onPeek(row)
    else if (key.toLowerCase() === 'x' && onSelection) pick.current(rowId(row), shiftKey)
    else return properties.onKey?.(key, row) ?? false
    return true
  }
  function fold(line: Line<Row>, isClosing: boolean): boolean {
    if (!group) return false
    const value = line.kind === 'group' ? line.group.value : group.valueOf(line.row)
    const head = lines.findIndex((one) => one.kind === 'group' && one.group.value === value)
    const before = lines[head]
    if (before?.kind !== 'group' || before.isFolded === isClosing) return false
    toggle(value)
    choose(head)
    return true
  }

  // The value of a group may be any text, which no id may hold.
  const idOf = (line: Line<Row>, place: number) => (line.kind === 'row' ? `${gridId}-row-${rowId(line.row)}` : `${gridId}-group-${place}`)
  const isPickedOf = (id: string) => (onSelection ? (selection?.has(id) ?? false) : undefined)
  const chosen = lines[at]
  const isEmpty = lines.length === 0 && !isLoading
  return (
    <div className={cx('flex min-h-0 min-w-0 grow flex-col', properties.className)}>
      {onSorted && (
        <Suspense>
          <SortRows rows={rows} columns={columns} rowId={rowId} sorting={ownSorting} onSorted={onSorted} />
        </Suspense>
      )}
      <div
        ref={scroll}
        role={!isGrid ? 'table' : group ? 'treegrid' : 'grid'}
        aria-label={label}
        aria-rowcount={lines.length + 1}
        aria-colcount={columns.length + (onSelection ? 1 : 0)}
        aria-multiselectable={onSelection ? true : undefined}
        aria-busy={isLoading}
        aria-activedescendant={isGrid && chosen ? idOf(chosen, at) : undefined}
        tabIndex={0}
        onKeyDown={isGrid ? press : undefined}
        onScroll={({ currentTarget }) => {
          onTop?.(currentTarget.scrollTop === 0)
          setIsScrolled(currentTarget.scrollLeft > 0)
        }}
        className={cx('relative min-h-0 overflow-auto -outline-offset-2', isEmpty ? 'shrink-0' : 'grow')}
      >
        <TableHead
          columns={columns}
          tracks={tracks}
          sorting={sorting}
          isScrolled={isScrolled}
          resize={resize}
          onSort={(id, isAdding) => {
            const next = nextSorting(sorting, id, isAdding)
            if (properties.sorting) properties.sorting.onChange(next)
            else setOwnSorting(next)
          }}
          all={
            onSelection && {
              isChecked: rows.length > 0 && (selection?.size ?? 0) >= rows.length,
              isMixed: selection !== undefined && selection.size > 0 && selection.size < rows.length,
              onChange: (isOn) => onSelection(isOn ? new Set(rows.map(rowId)) : new Set()),
            }
          }
        />
        {isLoading && lines.length === 0 && <SkeletonRows columns={columns} tracks={tracks} height={rowHeight} />}
        <div role="rowgroup" className="relative" style={{ height: total, minWidth: tracks.minWidth + 16 }}>
          {drawn.map(({ index, start, size, isWhole }) => {
            const line = lines[index]
            if (!line) return null
            const place = { elementId: idOf(line, index), at: index, start, height: size }
            if (line.kind === 'group') {
              return (
                <GroupRow
                  key={place.elementId}
                  group={line.group}
                  place={place}
                  label={group?.label ?? ''}
                  isFolded={line.isFolded}
                  isActive={index === at}
                  minWidth={tracks.minWidth + 16}
                  columns={columns.length + (onSelection ? 1 : 0)}
                  totals={group?.totals?.(line.group.rows)}
                  onToggle={toggle}
                />
              )
            }
            if (!isWhole) {
              const columnCount = columns.length + (onSelection ? 1 : 0)
              return (
                <PassingRow
                  // The elements of rows that are gone serve the next ones.
                  key={`passing ${index % passingRows}`}
                  place={place}
                  isGrid={isGrid}
                  minWidth={tracks.minWidth + 16}
                  columns={columnCount}
                />
              )
            }
            const { row } = line
            const id = rowId(row)
            return (
              <TableRow
                key={place.elementId}
                row={row}
                id={id}
                place={place}
                columns={columns}
                tracks={tracks}
                isScrolled={isScrolled}
                isGrid={isGrid}
                isActive={isGrid && index === at}
                isMarked={marked === id}
                isPicked={isPickedOf(id)}
                isBelow={group !== undefined}
                name={rowName?.(row) ?? 'row'}
                tone={tone?.(row)}
                onChoose={handlers.choose}
                onPick={handlers.pick}
              />
            )
          })}
        </div>
      </div>
      {isEmpty && <div className="min-h-0 grow overflow-auto">{properties.empty}</div>}
    </div>
  )
}

/** The columns with their current widths, and functions that change the widths. */
function useColumns<Row>(
  { name, columns: all, hidden = noneHidden, onSelection }: TableProperties<Row>,
  scroll: Parameters<typeof useResize>[0]['scroll'],
) {
  const [kept, keep] = useGridPreferences(name ?? '')
  const [own, setOwn] = useState<Arrangement['widths']>({})
  const [moving, setMoving] = useState<Arrangement['widths']>()
  const widths = moving ?? (name === undefined ? own : kept.widths)
  const { order } = kept
  const columns = useMemo(() => arrange(all, { hidden, ...(name !== undefined && { order }) }), [all, hidden, order, name])
  const leading = onSelection ? selectionWidth : 0
  const tracks = useMemo(() => tracksOf(columns, widths, leading), [columns, widths, leading])
  const resize = useResize({
    scroll,
    onMove: (id, px) => setMoving({ ...widths, [id]: px }),
    onEnd(id, px) {
      const { [id]: _, ...others } = { ...(name === undefined ? own : kept.widths) }
      const next = px === undefined ? others : { ...others, [id]: px }
      setMoving(undefined)
      if (name === undefined) setOwn(next)
      else keep({ widths: next })
    },
  })
  return { columns, tracks, resize }
}

/** Rows sorted by their columns; unsorted until then, and if no column sorts them. */
function useSorted<Row>(rows: readonly Row[], isSorting: boolean) {
  const [last, setLast] = useState<{ sorted: readonly Row[]; rows: readonly Row[] }>()
  const onSorted = useCallback((sorted: readonly Row[], of: readonly Row[]) => setLast({ sorted, rows: of }), [])
  return { sorted: isSorting && last?.rows === rows ? last.sorted : rows, onSorted: isSorting ? onSorted : undefined }
}

/** Rows, or the heads of groups with theirs. */
function useLines<Row>(rows: readonly Row[], group: Grouping<Row> | undefined) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const valueOf = group?.valueOf
  const lines = useMemo(
    (): readonly Line<Row>[] => (valueOf ? linesOf(groupRows(rows, valueOf), folded) : rows.map((row) => ({ kind: 'row', row }))),
    [rows, valueOf, folded],
  )
  const toggle = (value: string) =>
    setFolded((before) => {
      const next = new Set(before)
      if (!next.delete(value)) next.add(value)
      return next
    })
  return { lines, toggle }
}

/** Where the keys are: at a row, or at the head of a group. */
function usePlace<Row>(lines: readonly Line<Row>[], isGrid: boolean, properties: TableProperties<Row>) {
  const { rowId, active, onActive, onPeek, marked, group } = properties
  const [own, setOwn] = useState(marked)
  const [head, setHead] = useState<string>()
  const places = useMemo(
    () => new Map(isGrid ? lines.flatMap((line, at) => (line.kind === 'row' ? [[rowId(line.row), at] as const] : [])) : []),
    [isGrid, lines, rowId],
  )
  const atHead = group && head !== undefined ? lines.findIndex((line) => line.kind === 'group' && line.group.value === head) : -1
  function activate(row: Row) {
    setHead(undefined)
    setOwn(rowId(row))
    onActive?.(row)
  }
  function choose(at: number) {
    const line = lines[at]
    if (line?.kind === 'group') setHead(line.group.value)
    if (line?.kind !== 'row') return
    activate(line.row)
    // The panel next to the grid follows the keys.
    if (marked !== undefined) onPeek?.(line.row)
  }
  return { at: atHead >= 0 ? atHead : (places.get((onActive ? active : own) ?? '') ?? -1), choose, activate }
}

/** Selects a row; with Shift all rows from the last selected one. */
function usePicking<Row>(rows: readonly Row[], { rowId, selection, onSelection }: TableProperties<Row>) {
  const from = useRef<string>(undefined)
  const pick = useRef<(id: string, isRange: boolean) => void>(() => undefined)
  pick.current = (id, isRange) => {
    const next = new Set(selection)
    const ids = isRange && from.current !== undefined ? rows.map(rowId) : []
    const [start, end] = [ids.indexOf(from.current ?? ''), ids.indexOf(id)].sort((a, b) => a - b)
    if (start !== undefined && end !== undefined && start >= 0) for (const one of ids.slice(start, end + 1)) next.add(one)
    else if (!next.delete(id)) next.add(id)
    from.current = id
    onSelection?.(next)
  }
  return pick
}

function SkeletonRows<Row>({ columns, tracks, height }: { columns: readonly Column<Row>[]; tracks: Tracks; height: number }) {
  const widths = ['w-3/5', 'w-4/5', 'w-1/2', 'w-2/3']
  return (
    <div aria-hidden style={{ minWidth: tracks.minWidth + 16 }}>
      {Array.from({ length: skeletonRows }, (_, at) => (
        <div
          // They are all the same.
          key={String(at)}
          className="grid items-center border-b border-line px-2"
          style={{ gridTemplateColumns: tracks.template, height }}
        >
          {tracks.template.startsWith(`${selectionWidth}px `) && <span />}
          {columns.map(({ id, align }, place) => (
            <span key={id} className={cx('flex px-2', align === 'right' && 'justify-end')}>
              <Skeleton className={cx('h-2.5', widths[(at + place) % widths.length])} />
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}
