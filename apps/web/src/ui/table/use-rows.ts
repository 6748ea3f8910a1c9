import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import { rowAfterKey } from './row-after-key.ts'

interface RowsOptions {
  count: number
  /** Pixels: of every row, or of the one at an index. A function must be stable while heights are. */
  rowHeight: number | ((row: number) => number)
  /** Height of the content that is fixed above the rows while they scroll. */
  headHeight?: number
  scroll: RefObject<HTMLDivElement | null>
  /** Index of the selected row, negative without one. It is always in the page, since assistive technology refers to it. */
  chosen: number
  onChoose: (row: number) => void
}

/** Rows of which those in sight are in the page, and among which the keys choose one. */
export function useRows({ count, rowHeight, headHeight = 0, scroll, chosen, onChoose }: RowsOptions) {
  const heightOf = typeof rowHeight === 'number' ? () => rowHeight : rowHeight
  const rangeExtractor = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range)
      return chosen < 0 || chosen >= range.count || shown.includes(chosen) ? shown : [...shown, chosen].sort((a, b) => a - b)
    },
    [chosen],
  )
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: heightOf,
    overscan: 8,
    scrollPaddingEnd: headHeight,
    rangeExtractor,
  })
  const measured = useRef(rowHeight)
  useLayoutEffect(() => {
    if (measured.current === rowHeight) return
    measured.current = rowHeight
    virtual.measure()
  }, [rowHeight, virtual])

  // A row that an address names is out of sight at first; one that was clicked or reached by a key is in sight.
  useLayoutEffect(() => {
    const box = scroll.current
    if (!box || chosen < 0) return
    const start = typeof rowHeight === 'number' ? chosen * rowHeight : (virtual.measurementsCache[chosen]?.start ?? 0)
    const height = heightOf(chosen)
    const isInSight = start >= box.scrollTop && start + height + headHeight <= box.scrollTop + box.clientHeight
    if (!isInSight) box.scrollTo({ top: start - (box.clientHeight - headHeight - height) / 2 })
    // Heights are those of the rows at the time.
  }, [chosen, headHeight, rowHeight, scroll])

  /** Keys of the box itself: those of a link or button in a row are left to it. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return
    const pageRows = Math.max(1, Math.floor(((scroll.current?.clientHeight ?? 0) - headHeight) / heightOf(Math.max(0, chosen))) - 1)
    const next = rowAfterKey(event.key, chosen, { count, pageRows })
    if (next === undefined) return
    event.preventDefault()
    virtual.scrollToIndex(next)
    onChoose(next)
  }

  return { virtual, onKeyDown }
}
