import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { drawnAround, type RowPlaces, type RowsBetween, rowsBetween } from './rows-in-sight.ts'
import { isJump, noRows, wholeAfterScroll, withMoreWhole } from './whole-rows.ts'

/** Jumps that follow each other faster are a flight. */
const flightMs = 200
/** Rows are drawn whole when a flight has been over for so long. */
const calmMs = 100

interface Sight {
  top: number
  height: number
  /** The rows that are drawn whole. Undefined where all are. */
  whole: RowsBetween | undefined
}

interface Rows {
  /** Undefined without any. */
  inSight: RowsBetween | undefined
  whole: RowsBetween | undefined
}

/**
 * The rows of which something is in sight, while their box is scrolled and changes its size. With `arePassedLight` those that are jumped to are
 * drawn whole in a few frames, and those that fly past are not.
 */
export function useRowsInSight(
  scroll: RefObject<HTMLElement | null>,
  places: RowPlaces,
  { arePassedLight }: { arePassedLight: boolean },
): Rows {
  const [sight, setSight] = useState<Sight>({ top: 0, height: 0, whole: undefined })
  const [box, setBox] = useState<HTMLElement | null>(null)
  const latest = useRef({ places, sight })
  latest.current = { places, sight }
  const jumpedAt = useRef(Number.NEGATIVE_INFINITY)
  // The box may be drawn later, or again.
  useLayoutEffect(() => setBox(scroll.current))
  useLayoutEffect(() => {
    if (!box) return
    const look = () => {
      const { places: current, sight: before } = latest.current
      const next = { top: box.scrollTop, height: box.clientHeight, whole: before.whole }
      if (isSame(current, before, next)) return
      setSight(arePassedLight ? { ...next, whole: wholeAfter(current, before, next, jumpedAt) } : next)
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
  }, [box, arePassedLight])
  useEffect(() => {
    if (sight.whole === undefined) return
    const draw = () => setSight((before) => ({ ...before, whole: withMore(latest.current.places, before) }))
    return sight.whole === noRows ? afterCalm(draw) : afterFrame(draw)
  }, [sight])
  return { inSight: rowsIn(places, sight), whole: sight.whole }
}

const rowsIn = (places: RowPlaces, { top, height }: Sight) => rowsBetween(places, top, top + height)

function wholeAfter(places: RowPlaces, before: Sight, next: Sight, jumpedAt: { current: number }): RowsBetween | undefined {
  const [left, inSight] = [rowsIn(places, before), rowsIn(places, next)]
  if (inSight === undefined) return undefined
  const hasJumped = isJump(left && drawnAround(left, places.count), inSight)
  const now = performance.now()
  const isFlight = now - jumpedAt.current < flightMs
  if (hasJumped) jumpedAt.current = now
  return wholeAfterScroll(before.whole, { inSight, drawn: drawnAround(inSight, places.count), isJump: hasJumped, isFlight })
}

function withMore(places: RowPlaces, { whole, ...sight }: Sight): RowsBetween | undefined {
  const inSight = rowsIn(places, { ...sight, whole })
  return whole && inSight && withMoreWhole(whole, { inSight, drawn: drawnAround(inSight, places.count) })
}

function afterCalm(run: () => void) {
  const timer = setTimeout(run, calmMs)
  return () => clearTimeout(timer)
}

/** Not in the frame in which the page is drawn now. */
function afterFrame(run: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** The same rows are in sight, and will be when there are more of them: scrolling within a row draws nothing again. */
function isSame(places: RowPlaces, before: Sight, next: Sight): boolean {
  if (before.height !== next.height) return false
  const [a, b] = [rowsIn(places, before), rowsIn(places, next)]
  return before.top === next.top || (a !== undefined && a.first === b?.first && a.last === b.last)
}
