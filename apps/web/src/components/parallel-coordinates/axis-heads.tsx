import { useState } from 'react'
import type { DrawnAxis } from './axis.ts'

interface Properties {
  axes: readonly DrawnAxis[]
  /** The axis goes to the place, from 0. */
  onMove: (axis: string, place: number) => void
}

/** The names of axes above them. Axes are moved by dragging their names, or by buttons. */
export function AxisHeads({ axes, onMove }: Properties) {
  const [dragged, setDragged] = useState<string>()
  return (
    <ol className="axis-heads" style={{ gridTemplateColumns: `repeat(${axes.length}, minmax(0, 1fr))` }}>
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
        >
          <span className="axis-name" title={name}>
            {name}
          </span>
          {scale.kind === 'logarithmic' && <span className="muted">logarithmic</span>}
          <span className="axis-moves">
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
  <button type="button" aria-label={`Move ${axis} to the ${to}`} aria-disabled={isAtEnd} onClick={isAtEnd ? undefined : onMove}>
    {to === 'left' ? '←' : '→'}
  </button>
)
