import type { TrainingEvent } from '@heddle/core-api'
import { useEffect, useRef, useState } from 'react'
import { Time } from '../../components/time.tsx'
import { numberText } from '../evaluations/charts/number-text.ts'
import { chooseEvents, type EventChoice, eventChoices, levelOf } from './choose-events.ts'

const eventsAtOnce = 100
const shownValues = 4
const choiceTitles: Readonly<Record<EventChoice, string>> = { errors: 'errors', changes: 'changes of state', steps: 'gradient steps' }

interface Properties {
  events: readonly TrainingEvent[]
  choice: EventChoice | undefined
  onChoice: (choice: EventChoice | undefined) => void
}

/** What happened to a job, the oldest first, with the newest in sight while it is followed. */
export function EventLog({ events, choice, onChoice }: Properties) {
  const [count, setCount] = useState(eventsAtOnce)
  const [follows, setFollows] = useState(true)
  const list = useRef<HTMLOListElement>(null)
  const chosen = chooseEvents(events, choice)
  const shown = chosen.slice(-count)
  const left = chosen.length - shown.length
  useEffect(() => {
    if (follows && list.current) list.current.scrollTop = list.current.scrollHeight
  }, [follows, chosen.length])
  return (
    <section aria-labelledby="events">
      <h2 id="events">Events</h2>
      <div className="row">
        <label htmlFor="event-choice">Show</label>
        <select
          id="event-choice"
          value={choice ?? ''}
          onChange={({ target }) => onChoice(eventChoices.find((one) => one === target.value))}
        >
          <option value="">all events</option>
          {eventChoices.map((one) => (
            <option key={one} value={one}>
              {choiceTitles[one]}
            </option>
          ))}
        </select>
        <label>
          <input type="checkbox" checked={follows} onChange={({ target }) => setFollows(target.checked)} /> Follow
        </label>
        <span className="muted">{chosen.length.toLocaleString('en')} events</span>
      </div>
      {left > 0 && (
        <button type="button" onClick={() => setCount(count + eventsAtOnce)}>
          Show {Math.min(left, eventsAtOnce)} of the {left.toLocaleString('en')} earlier ones
        </button>
      )}
      {chosen.length === 0 ? (
        <p className="muted">No event of this kind.</p>
      ) : (
        <ol ref={list} className="event-log" tabIndex={0} aria-label="Events of the job">
          {shown.map((event) => (
            <li key={event.id} className={levelOf(event) === 'error' ? 'problem' : undefined}>
              <span className="tag">{levelOf(event)}</span> <Time value={event.created_at} /> {event.type} {dataText(event)}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function dataText({ data }: TrainingEvent): string {
  const entries = Object.entries(data)
  const texts = entries.slice(0, shownValues).map(([name, value]) => {
    if (typeof value === 'number') return `${name} ${numberText(value, false)}`
    return typeof value === 'string' ? value : `${name} ${JSON.stringify(value)}`
  })
  return [...texts, ...(entries.length > shownValues ? [`and ${entries.length - shownValues} more`] : [])].join(', ')
}
