import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect } from 'react'
import { rowAfterKey } from './row-after-key.ts'

interface RowsOptions {
  count: number
  rowHeight: number
  /** Of what stays above the rows while they scroll. */
  headHeight?: number
  scroll: RefObject<HTMLDivElement | null>
  /** Place of the chosen row, below 0 without one. It is always in the page, since assistive technology is pointed to it. */
  chosen: number
  onChoose: (row: number) => void
}

/** Rows of one height of which those in sight are in the page, and among which the keys choose one. */
export function useRows({ count, rowHeight, headHeight = 0, scroll, chosen, onChoose }: RowsOptions) {
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
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollPaddingEnd: headHeight,
    rangeExtractor,
  })

  // A row that an address names is out of sight at first; one that was clicked or reached by a key is in sight.
  useLayoutEffect(() => {
    const box = scroll.current
    if (!box || chosen < 0) return
    const top = chosen * rowHeight
    const isInSight = top >= box.scrollTop && top + rowHeight + headHeight <= box.scrollTop + box.clientHeight
    if (!isInSight) box.scrollTo({ top: top - (box.clientHeight - headHeight - rowHeight) / 2 })
  }, [chosen, headHeight, rowHeight, scroll])

  /** Keys of the box itself: those of a link or button in a row stay theirs. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return
    const pageRows = Math.max(1, Math.floor(((scroll.current?.clientHeight ?? 0) - headHeight) / rowHeight) - 1)
    const next = rowAfterKey(event.key, chosen, { count, pageRows })
    if (next === undefined) return
    event.preventDefault()
    virtual.scrollToIndex(next)
    onChoose(next)
  }

  return { virtual, onKeyDown }
}
