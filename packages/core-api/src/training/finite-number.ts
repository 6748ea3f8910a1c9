import { checked, Refused } from '../shapes/checked.ts'
import { numberText } from '../shapes/json-number.ts'

/** A finite JSON number. Clients write those that are not finite as texts. */
export const FiniteNumber = checked<number>(
  (value) => {
    const number = typeof value === 'string' ? Number.NaN : Number(numberText(value))
    return Number.isFinite(number) ? number : new Refused('float_type', 'Input should be a finite number')
  },
  { type: 'number' },
)
