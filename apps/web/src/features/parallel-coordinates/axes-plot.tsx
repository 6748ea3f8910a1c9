import { type PointerEvent, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import type { AxisRow, DrawnAxis, RangeEnds } from './axis.ts'
import { AxesLines } from './axes-lines.tsx'
import { AxisColumn } from './axis-column.tsx'
import { type AxisLine, axisDistance, nearestLine, plotHeight } from './axis-lines.ts'
import type { useAxisDrag } from './use-axis-drag.ts'

/** Pixels within which the pointer is at a line. */
const reach = 8

interface Properties {
  axes: readonly DrawnAxis[]
  colour: DrawnAxis | undefined
  lines: readonly AxisLine[]
  kept: ReadonlySet<AxisRow>
  label: string
  drag: ReturnType<typeof useAxisDrag>
  /** Id of the row that is marked from elsewhere. */
  marked: string | undefined
  onRange: (axis: string, ends: RangeEnds | undefined) => void
  onOpen: (id: string) => void
}

/** Lines over axes. A click on a line opens its row; the pointer or keys choose a range of an axis. */
export function AxesPlot({ axes, colour, lines, kept, label, drag, marked: named, onRange, onOpen }: Properties) {
  const [hovered, setHovered] = useState<string>()
  const marked = lines.find(({ row }) => row.id === (drag.dragged ? undefined : (hovered ?? named)))

  function lineAt({ clientX, clientY, currentTarget }: PointerEvent): AxisLine | undefined {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    const point = { x: ((clientX - left) / width) * axes.length * axisDistance, y: ((clientY - top) / height) * plotHeight }
    const among = lines.filter(({ row }) => kept.has(row))
    return nearestLine(among, point, (reach / height) * plotHeight)
  }

  return (
    <div
      data-axes-plot=""
      className={cx('relative h-96 touch-pan-x select-none', hovered !== undefined && 'cursor-pointer')}
      onPointerMove={(event) => {
        drag.move(event)
        if (!drag.dragged) setHovered(lineAt(event)?.row.id)
      }}
      onPointerLeave={() => setHovered(undefined)}
      onPointerUp={drag.end}
      onPointerCancel={drag.cancel}
      onClick={({ target }) => {
        const isAtAxis = target instanceof Element && target.closest('[data-axis]') !== null
        if (hovered !== undefined && !isAtAxis) onOpen(hovered)
      }}
    >
      <AxesLines lines={lines} axisCount={axes.length} kept={kept} colour={colour} marked={marked} label={label} />
      {axes.map((axis, at) => (
        <AxisColumn
          key={axis.id}
          axis={axis}
          ends={drag.dragged?.axis === axis.id ? drag.dragged.ends : axis.range}
          left={((at + 0.5) / axes.length) * 100}
          onBegin={(event, end) => drag.begin(event, axis, end)}
          onRange={(ends) => onRange(axis.id, ends)}
        />
      ))}
      <span aria-hidden="true" className="pointer-events-none absolute top-[95%] left-0 -translate-y-1/2 bg-sheet px-1 text-xs text-fg-3">
        none
      </span>
      {marked && <LineName line={marked} axisCount={axes.length} />}
    </div>
  )
}

/** The name of a row on its line, between the first two axes. */
function LineName({ line: { row, heights }, axisCount }: { line: AxisLine; axisCount: number }) {
  const [first = 0, second = first] = heights
  return (
    <span
      data-line-name=""
      className="pop pointer-events-none absolute z-10 max-w-[60%] -translate-1/2 truncate px-2 py-1 text-xs font-medium"
      style={{ top: `${((first + second) / 2 / plotHeight) * 100}%`, left: `${100 / Math.max(2, axisCount)}%` }}
      aria-hidden="true"
    >
      {row.name}
    </span>
  )
}
