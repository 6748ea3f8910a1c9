import { checked, Refusal } from '../shapes/checked.ts'
import { numberText } from '../shapes/json-number.ts'

/** A finite JSON number. Clients write non-finite numbers as texts, or as null. */
export const FiniteNumber = checked<number>(
  (value) => {
    const number = typeof value === 'string' ? Number.NaN : Number(numberText(value))
    return Number.isFinite(number) ? number : new Refusal('float_type', `Input should be a finite number${hintOf(value)}`)
  },
  { type: 'number' },
)

const hintOf = (value: unknown) => (value === null ? '; null is what JavaScript writes for NaN and infinities' : '')
