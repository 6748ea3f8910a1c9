import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo } from 'react'
import { rowAfterKey } from './row-after-key.ts'
import { drawnAround, placesOf, type RowHeight, type RowsBetween, scrolledTo } from './rows-in-sight.ts'
import { useRowsInSight } from './use-rows-in-sight.ts'

interface RowsOptions {
  count: number
  /** Pixels. A function must be stable while heights are. */
  rowHeight: RowHeight
  /** Height of the content that is fixed above the rows while they scroll. */
  headHeight?: number
  scroll: RefObject<HTMLDivElement | null>
  /** Index of the selected row, negative without one. It is always in the page, since assistive technology refers to it. */
  chosen: number
  onChoose: (row: number) => void
  /** Rows that fly past are not drawn whole. */
  arePassedLight?: boolean
}

interface DrawnRow {
  index: number
  start: number
  size: number
  /** False for a row that flies past, or has just been jumped to. */
  isWhole: boolean
}

/** Rows of which those in sight are in the page, and among which the keys choose one. */
export function useRows({ count, rowHeight, headHeight = 0, scroll, chosen, onChoose, arePassedLight = false }: RowsOptions) {
  const places = useMemo(() => placesOf(count, rowHeight), [count, rowHeight])
  const { inSight, whole } = useRowsInSight(scroll, places, { arePassedLight })
  const drawn = drawnRows(inSight, count, chosen).map((index): DrawnRow => {
    const start = places.startOf(index)
    const isWhole = whole === undefined || index === chosen || (index >= whole.first && index <= whole.last)
    return { index, start, size: places.startOf(index + 1) - start, isWhole }
  })

  // A row that an address names is out of sight at first; one that was clicked or reached by a key is in sight.
  useLayoutEffect(() => {
    const box = scroll.current
    if (!box || chosen < 0) return
    const start = places.startOf(chosen)
    const size = places.startOf(chosen + 1) - start
    const isInSight = start >= box.scrollTop && start + size + headHeight <= box.scrollTop + box.clientHeight
    if (!isInSight) box.scrollTo({ top: start - (box.clientHeight - headHeight - size) / 2 })
    // Heights are those of the rows at the time.
  }, [chosen, headHeight, rowHeight, scroll])

  /** Keys of the box itself: those of a link or button in a row are left to it. */
  function onKeyDown(event: KeyboardEvent) {
    const box = scroll.current
    if (!box || event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return
    const room = box.clientHeight - headHeight
    const at = Math.max(0, chosen)
    const pageRows = Math.max(1, Math.floor(room / (places.startOf(at + 1) - places.startOf(at))) - 1)
    const next = rowAfterKey(event.key, chosen, { count, pageRows })
    if (next === undefined) return
    event.preventDefault()
    box.scrollTo({ top: scrolledTo(places, next, { top: box.scrollTop, height: room }) })
    onChoose(next)
  }

  return { rows: drawn, total: places.total, inSight, areAllWhole: whole === undefined, onKeyDown }
}

function drawnRows(inSight: RowsBetween | undefined, count: number, chosen: number): number[] {
  const { first, last } = inSight ? drawnAround(inSight, count) : { first: 0, last: -1 }
  const rows = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  if (chosen < 0 || chosen >= count || (chosen >= first && chosen <= last)) return rows
  return chosen < first ? [chosen, ...rows] : [...rows, chosen]
}
