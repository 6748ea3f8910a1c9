import type { KeyboardEvent, PointerEvent, RefObject } from 'react'
import { boundedWidth } from './columns.ts'

interface ResizeOptions {
  /** Holds the head and the rows. */
  scroll: RefObject<HTMLDivElement | null>
  /** Draws a width while it is chosen. */
  onMove: (id: string, px: number) => void
  /** Keeps a width; undefined for that of the column itself. */
  onEnd: (id: string, px: number | undefined) => void
}

const keyStep = 16
/** Padding of the cell around its content. */
const cellPadding = 17

/** Changes the widths of columns by a grip on the edge of their heads, or by keys on the heads. */
export function useResize({ scroll, onMove, onEnd }: ResizeOptions) {
  const cellsOf = (id: string) => scroll.current?.querySelectorAll<HTMLElement>(`[data-column="${CSS.escape(id)}"]`) ?? []
  const widthOf = (id: string) => cellsOf(id)[0]?.getBoundingClientRect().width ?? 0

  /** Follows the pointer until it is released. */
  function grip(event: PointerEvent<HTMLElement>, id: string): void {
    if (event.button !== 0) return
    event.preventDefault()
    const handle = event.currentTarget
    const from = event.clientX - widthOf(id)
    let px = widthOf(id)
    const move = ({ clientX }: { clientX: number }) => {
      px = boundedWidth(clientX - from)
      onMove(id, px)
    }
    const stop = () => {
      handle.removeEventListener('pointermove', move)
      onEnd(id, boundedWidth(px))
    }
    handle.setPointerCapture(event.pointerId)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', stop, { once: true })
  }

  /** As wide as the widest content in sight, also where it is cut. */
  function fit(id: string): void {
    const content = document.createRange()
    const widest = [...cellsOf(id)].reduce((most, cell) => {
      content.selectNodeContents(cell.firstElementChild ?? cell)
      return Math.max(most, content.getBoundingClientRect().width)
    }, 0)
    onEnd(id, boundedWidth(widest + cellPadding))
  }

  /** True for the keys that change a width: Alt and Shift with an arrow; with Home the width is that of the column itself again. */
  function press({ altKey, shiftKey, key }: Pick<KeyboardEvent, 'altKey' | 'shiftKey' | 'key'>, id: string): boolean {
    const step = { ArrowRight: keyStep, ArrowLeft: -keyStep }[key]
    if (!altKey || !shiftKey || (step === undefined && key !== 'Home')) return false
    onEnd(id, step === undefined ? undefined : boundedWidth(widthOf(id) + step))
    return true
  }

  return { grip, fit, press }
}
