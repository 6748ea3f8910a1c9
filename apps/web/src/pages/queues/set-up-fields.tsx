import { TextField } from '../../ui/text-field.tsx'
import { FormSelect } from '../../ui/form-select.tsx'
import { bounds, type ItemOrder, itemOrders, type SetUpText } from './queue-set-up.ts'

interface Properties {
  typed: SetUpText
  onChange: (part: Partial<SetUpText>) => void
}

const orders = Object.entries(itemOrders).map(([value, label]) => ({ value, label }))
const rangeOf = ({ minimum, maximum }: { minimum: number; maximum: number }) => `${minimum} to ${maximum.toLocaleString('en')}`

/** The fields for the assignment of a queue's items. */
export const SetUpFields = ({ typed: { reviewers, minutes, order }, onChange }: Properties) => (
  <fieldset className="rounded-lg border border-line p-3">
    <legend className="px-1 text-xs font-medium text-fg-2">Assignment</legend>
    <div className="flex flex-wrap gap-4">
      <TextField
        label="Reviewers per item"
        help={rangeOf(bounds.reviewers)}
        className="w-32"
        inputMode="numeric"
        value={reviewers}
        onChange={(next) => onChange({ reviewers: next })}
      />
      <TextField
        label="Hold time (min)"
        help={rangeOf(bounds.minutes)}
        className="w-32"
        inputMode="numeric"
        value={minutes}
        onChange={(next) => onChange({ minutes: next })}
      />
      <FormSelect label="Order" choices={orders} value={order} onChange={(value) => onChange({ order: value as ItemOrder })} />
    </div>
  </fieldset>
)
