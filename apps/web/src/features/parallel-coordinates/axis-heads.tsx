import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import type { DrawnAxis } from './axis.ts'

interface Properties {
  axes: readonly DrawnAxis[]
  /** Moves the axis to this index, from 0. */
  onMove: (axis: string, place: number) => void
}

/** The names of axes above them. Axes are moved by dragging their names, or by buttons. */
export function AxisHeads({ axes, onMove }: Properties) {
  const [dragged, setDragged] = useState<string>()
  return (
    <ol className="grid" style={{ gridTemplateColumns: `repeat(${axes.length}, minmax(0, 1fr))` }}>
      {axes.map(({ id, name, scale }, at) => (
        <li
          key={id}
          draggable
          onDragStart={({ dataTransfer }) => {
            dataTransfer.setData('text/plain', id)
            dataTransfer.effectAllowed = 'move'
            setDragged(id)
          }}
          onDragEnd={() => setDragged(undefined)}
          onDragOver={(event) => dragged !== undefined && event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault()
            if (dragged !== undefined && dragged !== id) onMove(dragged, at)
          }}
          className="flex cursor-grab flex-col items-center justify-end px-1 text-center"
        >
          <span data-axis-name="" data-tip={name} className="line-clamp-2 max-w-full font-medium wrap-anywhere">
            {name}
          </span>
          {scale.kind === 'logarithmic' && <span className="text-2xs text-fg-3">Log scale</span>}
          <span className="flex">
            <MoveButton axis={name} to="left" isAtEnd={at === 0} onMove={() => onMove(id, at - 1)} />
            <MoveButton axis={name} to="right" isAtEnd={at === axes.length - 1} onMove={() => onMove(id, at + 1)} />
          </span>
        </li>
      ))}
    </ol>
  )
}

interface MoveProperties {
  axis: string
  to: 'left' | 'right'
  isAtEnd: boolean
  onMove: () => void
}

/** At the end it is not disabled, since it would lose the focus with which it was brought there. */
const MoveButton = ({ axis, to, isAtEnd, onMove }: MoveProperties) => (
  <IconButton
    label={`Move ${axis} to the ${to}`}
    icon={to === 'left' ? ArrowLeft : ArrowRight}
    aria-disabled={isAtEnd}
    onClick={isAtEnd ? undefined : onMove}
    className="size-6!"
  />
)
