import { ChevronLeft, ChevronRight, GripHorizontal, Pencil, Trash2 } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { readableName } from '../../lib/texts/readable-name.ts'
import { cx } from '../../lib/cx.ts'
import { IconButton } from '../../ui/button.tsx'

interface Properties {
  title: string
  /** Index among the charts, from 0. */
  at: number
  count: number
  onEdit: () => void
  onMove: (by: number) => void
  onRemove: () => void
}

/** Actions for a chart of a dashboard in edit mode, in its header. */
export function EditChart({ title, at, count, onEdit, onMove, onRemove }: Properties) {
  const name = readableName(title)
  return (
    <div className="flex shrink-0 items-center" role="group" aria-label={`Change ${name}`}>
      <IconButton icon={ChevronLeft} label={`Move ${name} back`} disabled={at === 0} onClick={() => onMove(-1)} />
      <IconButton icon={ChevronRight} label={`Move ${name} forward`} disabled={at === count - 1} onClick={() => onMove(1)} />
      <IconButton icon={Pencil} label={`Edit ${name}`} onClick={onEdit} />
      <IconButton icon={Trash2} label={`Remove ${name}`} onClick={onRemove} />
    </div>
  )
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

interface GripProperties extends Pick<Properties, 'title' | 'at' | 'count' | 'onMove'> {
  /** The buttons of its head leave no room in the middle. */
  isNarrow: boolean
  onDragStart: (event: DragEvent) => void
  onDragEnd: () => void
}

/** The handle for dragging a chart. The arrow keys move it, too. */
export function ChartGrip({ title, at, count, onMove, isNarrow, onDragStart, onDragEnd }: GripProperties) {
  const grip = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  // A chart that is moved in the page would lose the focus.
  useEffect(() => {
    if (hadFocus.current) grip.current?.focus()
    hadFocus.current = false
  }, [at])
  function press(event: KeyboardEvent) {
    const by = steps[event.key]
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    if (at + by < 0 || at + by >= count) return
    hadFocus.current = true
    onMove(by)
  }
  return (
    <span className={cx('absolute -top-3.5 z-10', isNarrow ? 'left-4' : 'left-1/2 -translate-x-1/2')}>
      <IconButton
        ref={grip}
        icon={GripHorizontal}
        label={`Place of ${readableName(title)}: ${at + 1} of ${count}`}
        variant="secondary"
        draggable
        onDragStart={onDragStart}
        onDragEnd={onDragEnd}
        onKeyDown={press}
        className="cursor-grab"
      />
    </span>
  )
}
