import { type KeyboardEvent, useEffect, useRef } from 'react'

interface Properties {
  title: string
  /** Place among the charts, from 0. */
  at: number
  count: number
  onEdit: () => void
  onMove: (by: number) => void
  onRemove: () => void
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/** What can be done with a chart of a dashboard that is edited. On its place, the arrow keys move it. */
export function EditChart({ title, at, count, onEdit, onMove, onRemove }: Properties) {
  const place = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  // A chart that is moved in the page would lose the focus.
  useEffect(() => {
    if (hadFocus.current) place.current?.focus()
    hadFocus.current = false
  }, [at])

  function move(by: number) {
    if (at + by < 0 || at + by >= count) return
    hadFocus.current = true
    onMove(by)
  }
  function press(event: KeyboardEvent) {
    const by = steps[event.key]
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    move(by)
  }

  return (
    <div className="row" role="group" aria-label={`Change ${title}`}>
      <button type="button" onClick={onEdit}>
        Edit
      </button>
      <button type="button" disabled={at === 0} aria-label={`Move ${title} before the one before`} onClick={() => move(-1)}>
        ←
      </button>
      <button
        ref={place}
        type="button"
        title="The arrow keys move the chart"
        aria-label={`Place of ${title}: ${at + 1} of ${count}. The arrow keys move it`}
        onKeyDown={press}
      >
        {at + 1} of {count}
      </button>
      <button type="button" disabled={at === count - 1} aria-label={`Move ${title} after the one after`} onClick={() => move(1)}>
        →
      </button>
      <button type="button" aria-label={`Remove ${title}`} onClick={onRemove}>
        Remove
      </button>
    </div>
  )
}
