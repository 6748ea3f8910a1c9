import { type PointerEvent, useMemo, useState } from 'react'
import type { DrawnAxis, RangeEnds } from './axis.ts'
import { placeAt, plotHeight } from './axis-lines.ts'
import { rangeBetween } from './axis-range.ts'
import { placeOf } from './axis-scale.ts'

/** Share of an axis below which a drag counts as a click, which changes nothing. */
const leastDrag = 0.01

/** A range that is being drawn with the pointer. */
export interface DraggedRange {
  axis: string
  ends: RangeEnds
}

interface Drag {
  axis: DrawnAxis
  /** Position of the other end. */
  fixed: number
  /** Where it began. */
  start: number
  at: number
  hasMoved: boolean
}

/** Draws ranges with the pointer. What listens must be as high as the plot. `onEnd` is called once the pointer is released after it moved. */
export function useAxisDrag(onEnd: (dragged: DraggedRange) => void) {
  const [drag, setDrag] = useState<Drag>()
  const dragged = useMemo(
    () => (drag?.hasMoved ? { axis: drag.axis.id, ends: rangeBetween(drag.axis.scale, drag.fixed, drag.at) } : undefined),
    [drag],
  )

  return {
    dragged,
    /** Begins a new range, or moves one end of the range that there is. */
    begin(event: PointerEvent, axis: DrawnAxis, end?: 'from' | 'to') {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      event.stopPropagation()
      const at = pointerPlace(event)
      const other = end === 'from' ? axis.range?.to : axis.range?.from
      const fixed = end === undefined ? at : (placeOf(axis.scale, other) ?? (end === 'from' ? 1 : 0))
      setDrag({ axis, fixed, start: at, at, hasMoved: false })
    },
    move(event: PointerEvent) {
      if (!drag) return
      const at = pointerPlace(event)
      setDrag({ ...drag, at, hasMoved: drag.hasMoved || Math.abs(at - drag.start) >= leastDrag })
    },
    end() {
      setDrag(undefined)
      if (dragged) onEnd(dragged)
    },
    cancel: () => setDrag(undefined),
  }
}

/** Position of the pointer on the axis of the listening element, from the box of the plot. */
function pointerPlace({ clientY, currentTarget }: PointerEvent): number {
  const { top, height } = currentTarget.closest('[data-axes-plot]')!.getBoundingClientRect()
  return placeAt(((clientY - top) / height) * plotHeight)
}
