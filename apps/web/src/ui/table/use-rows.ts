import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo } from 'react'
import { rowAfterKey } from './row-after-key.ts'
import { placesOf, type RowHeight, type RowsBetween, scrolledTo } from './rows-in-sight.ts'
import { useRowsInSight } from './use-rows-in-sight.ts'

/** Rows drawn above and below those in sight. */
const rowsAround = 8

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
}

interface DrawnRow {
  index: number
  start: number
  size: number
}

/** Rows of which those in sight are in the page, and among which the keys choose one. */
export function useRows({ count, rowHeight, headHeight = 0, scroll, chosen, onChoose }: RowsOptions) {
  const places = useMemo(() => placesOf(count, rowHeight), [count, rowHeight])
  const inSight = useRowsInSight(scroll, places)
  const drawn = drawnRows(inSight, count, chosen).map((index): DrawnRow => {
    const start = places.startOf(index)
    return { index, start, size: places.startOf(index + 1) - start }
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

  return { rows: drawn, total: places.total, inSight, onKeyDown }
}

function drawnRows(inSight: RowsBetween | undefined, count: number, chosen: number): number[] {
  const first = Math.max(0, (inSight?.first ?? 0) - rowsAround)
  const last = inSight ? Math.min(count - 1, inSight.last + rowsAround) : -1
  const rows = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  if (chosen < 0 || chosen >= count || (chosen >= first && chosen <= last)) return rows
  return chosen < first ? [chosen, ...rows] : [...rows, chosen]
}
