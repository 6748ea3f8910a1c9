import { z } from 'zod'
import { checked, Refusal } from './checked.ts'
import { parseTimestamp, type Micros } from './parse-timestamp.ts'

function readTimestamp(value: unknown): Micros | Refusal {
  return (
    parseTimestamp(value) ??
    new Refusal(
      'datetime_parsing',
      'Input should be an ISO 8601 date or date-time, or unix seconds (milliseconds above 2e10), from 1900-01-01 to 2255-06-05',
    )
  )
}

/** A time in a request; arrives as microseconds. */
export const Timestamp = checked<Micros, string | number>(readTimestamp, {
  anyOf: [{ type: 'string', format: 'date-time' }, { type: 'number' }],
  description: 'ISO 8601 (no zone means UTC), or unix seconds (milliseconds above 2e10)',
})

/** A time in a response: ISO 8601 in UTC with `Z`, microseconds when they are not zero. */
export const TimestampText = z.string().meta({ format: 'date-time' })
