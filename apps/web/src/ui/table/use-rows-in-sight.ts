import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type RowPlaces, type RowsBetween, rowsBetween } from './rows-in-sight.ts'

interface Sight {
  top: number
  height: number
}

/** The rows of which something is in sight, while their box is scrolled and changes its size. Undefined without any. */
export function useRowsInSight(scroll: RefObject<HTMLElement | null>, places: RowPlaces): RowsBetween | undefined {
  const [sight, setSight] = useState<Sight>({ top: 0, height: 0 })
  const [box, setBox] = useState<HTMLElement | null>(null)
  const latest = useRef(places)
  latest.current = places
  // The box may be drawn later, or again.
  useLayoutEffect(() => setBox(scroll.current))
  useLayoutEffect(() => {
    if (!box) return
    const look = () => {
      const next = { top: box.scrollTop, height: box.clientHeight }
      setSight((before) => (isSame(latest.current, before, next) ? before : next))
    }
    look()
    // Rows are drawn with the scrolling, not after it: they would be missing for a moment.
    const scrolled = () => flushSync(look)
    box.addEventListener('scroll', scrolled, { passive: true })
    const resized = new ResizeObserver(look)
    resized.observe(box)
    return () => {
      box.removeEventListener('scroll', scrolled)
      resized.disconnect()
    }
  }, [box])
  return rowsIn(places, sight)
}

const rowsIn = (places: RowPlaces, { top, height }: Sight) => rowsBetween(places, top, top + height)

/** The same rows are in sight, and will be when there are more of them: scrolling within a row draws nothing again. */
function isSame(places: RowPlaces, before: Sight, next: Sight): boolean {
  if (before.height !== next.height) return false
  const [a, b] = [rowsIn(places, before), rowsIn(places, next)]
  return before.top === next.top || (a !== undefined && a.first === b?.first && a.last === b.last)
}
