import { useId } from 'react'
import { bounds, type ItemOrder, itemOrders, type TypedSetUp } from './queue-set-up.ts'

interface Properties {
  typed: TypedSetUp
  onChange: (part: Partial<TypedSetUp>) => void
}

/** The fields of how a queue gives its items to people. */
export function SetUpFields({ typed: { reviewers, minutes, order }, onChange }: Properties) {
  const id = useId()
  return (
    <fieldset>
      <legend>How items are given to people</legend>
      <div className="row">
        <label htmlFor={`${id}-reviewers`}>Reviewers per item</label>
        <input
          id={`${id}-reviewers`}
          className="queue-bound"
          inputMode="numeric"
          value={reviewers}
          onChange={({ target }) => onChange({ reviewers: target.value })}
        />
        <label htmlFor={`${id}-minutes`}>Reservation in minutes</label>
        <input
          id={`${id}-minutes`}
          className="queue-bound"
          inputMode="numeric"
          value={minutes}
          onChange={({ target }) => onChange({ minutes: target.value })}
        />
        <label htmlFor={`${id}-order`}>Order</label>
        <select id={`${id}-order`} value={order} onChange={({ target }) => onChange({ order: target.value as ItemOrder })}>
          {Object.entries(itemOrders).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <p className="muted">
        An item counts as completed once this number of different people have completed or skipped it ({bounds.reviewers.minimum} to{' '}
        {bounds.reviewers.maximum}). One person has it at a time: its reservation ends after these minutes without work on it (
        {bounds.minutes.minimum} to {bounds.minutes.maximum.toLocaleString('en')}). The age of an item is counted from when it was added.
      </p>
    </fieldset>
  )
}
